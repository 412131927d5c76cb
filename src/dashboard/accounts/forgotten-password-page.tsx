import { linkLifetime } from '../../accounts/account-links.ts';
import { readEmail } from '../../accounts/read-email.ts';
import { sendPage } from '../page.tsx';
import type { DashboardContext, DashboardRouter } from '../router.ts';
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

/** The page that sends a link for a new password by mail. Without a mail server, it says who can make a link. */
export function registerForgottenPassword(
  router: DashboardRouter,
  { accounts, config }: AccountDependencies,
): void {
  const sendsMails = () => config().mail.smtp !== null;

  router.get('/forgotten', (context) => {
    if (sendsMails()) sendEmailPage(context, PAGE);
    else sendAskOperatorPage(context);
  });
  router.post('/forgotten', (context) => {
    if (!sendsMails()) {
      sendAskOperatorPage(context);
      return;
    }
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

function sendAskOperatorPage(context: DashboardContext): void {
  sendPage(context, {
    title: PAGE.title,
    content: (
      <div class="narrow">
        <h1>{PAGE.title}</h1>
        <p>This Gatekeeper sends no mails. Ask an operator for a link to choose a new password.</p>
        <p class="hint">
          An operator makes the link on the page of your account, or on the server with{' '}
          <code>gatekeeper accounts reset-password EMAIL</code>.
        </p>
        <p>{PAGE.otherwise}</p>
      </div>
    ),
  });
}
