import { readEmail } from '../../accounts/read-email.ts';
import type { DashboardRouter } from '../router.ts';
import { clientIp } from './client.ts';
import { type EmailPage, sendEmailPage } from './email-page.tsx';
import { sendLookIntoMailboxPage } from './mailbox-page.tsx';
import type { PeopleDependencies } from './people-dependencies.ts';

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
