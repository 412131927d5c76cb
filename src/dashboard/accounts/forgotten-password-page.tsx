import { linkLifetime } from '../../accounts/account-links.ts';
import { readEmail } from '../../accounts/read-email.ts';
import type { DashboardRouter } from '../router.ts';
import type { AccountDependencies } from './account-dependencies.ts';
import { type EmailPage, sendEmailPage, sendLookIntoMailboxPage } from './link-by-mail-pages.tsx';
import { mailSenderOf } from './request-client.ts';

const PAGE: EmailPage = {
  title: 'Forgot your password?',
  action: '/forgotten',
  intro: 'You get a mail with a link to choose a new password.',
  autocomplete: 'username',
  otherwise: <a href="/sign-in">Back to signing in</a>,
};

/** The page that sends a link for a new password by mail. */
export function registerForgottenPassword(
  router: DashboardRouter,
  { accounts, config }: AccountDependencies,
): void {
  router.get('/forgotten', (context) => sendEmailPage(context, PAGE));
  router.post('/forgotten', (context) => {
    const typed = context.state.form.text('email');
    const email = readEmail(typed);
    if (!email) {
      sendEmailPage(context, PAGE, typed);
      return;
    }
    accounts.mailSender.resetPassword({ email, ...mailSenderOf(context, config()) });
    sendLookIntoMailboxPage(context, {
      hint: `The link works for ${linkLifetime('password-reset')}.`,
      askAgain: '/forgotten',
    });
  });
}
