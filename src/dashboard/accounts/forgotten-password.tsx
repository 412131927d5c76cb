import { readEmail } from '../../accounts/read-email.ts';
import type { DashboardRouter } from '../router.ts';
import type { PeopleDependencies } from './account-dependencies.ts';
import { type EmailPage, sendEmailPage } from './link-by-mail-pages.tsx';
import { sendLookIntoMailboxPage } from './mailbox-page.tsx';
import { clientIp } from './request-client.ts';

const PAGE: EmailPage = {
  title: 'Forgotten password',
  action: '/forgotten',
  intro: 'You get a mail with a link, and choose a new one there.',
  autocomplete: 'username',
  otherwise: <a href="/sign-in">Back to signing in</a>,
};

/** A link to choose a new password, mailed. */
export function registerForgotten(router: DashboardRouter, { desk, config }: PeopleDependencies): void {
  router.get('/forgotten', (context) => sendEmailPage(context, PAGE));
  router.post('/forgotten', (context) => {
    const typed = context.state.form.text('email');
    const email = readEmail(typed);
    if (!email) {
      sendEmailPage(context, PAGE, typed);
      return;
    }
    desk.resetPassword({ email, ip: clientIp(context, config()) });
    sendLookIntoMailboxPage(context, { hint: 'The link works for an hour.', askAgain: '/forgotten' });
  });
}
