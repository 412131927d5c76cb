import { linkLifetime } from '../../accounts/account-links.ts';
import { readEmail } from '../../accounts/read-email.ts';
import { seeOther } from '../access.ts';
import { PageError } from '../page-error.ts';
import type { DashboardRouter } from '../router.ts';
import type { AccountDependencies } from './account-dependencies.ts';
import { isRefused } from './judge-registration.ts';
import { type EmailPage, sendEmailPage, sendLookIntoMailboxPage } from './link-by-mail-pages.tsx';
import { mailSenderOf } from './request-client.ts';

const PAGE: EmailPage = {
  title: 'Register',
  action: '/register',
  intro: 'You get a mail with a link to choose a password.',
  autocomplete: 'email',
  otherwise: (
    <>
      Already have an account? <a href="/sign-in">Sign in</a>
    </>
  ),
};

/** Open registration with an email. The mailed link proves access to the mailbox. */
export function registerRegistration(router: DashboardRouter, dependencies: AccountDependencies): void {
  router.get('/register', (context) => {
    requireOpen(dependencies);
    if (context.state.viewer) seeOther(context, '/');
    else sendEmailPage(context, PAGE);
  });
  router.post('/register', async (context) => {
    requireOpen(dependencies);
    const typed = context.state.form.text('email');
    const email = readEmail(typed);
    if (!email) {
      sendEmailPage(context, PAGE, typed);
      return;
    }
    const request = { email, ...mailSenderOf(context, dependencies.config()) };
    if (await isRefused(context, request, dependencies)) {
      throw new PageError(
        403,
        'This registration was refused. If this is a mistake, tell the operator the request id.',
      );
    }
    dependencies.accounts.mailSender.register(request);
    sendLookIntoMailboxPage(context, {
      hint: `The link works for ${linkLifetime('registration')}.`,
      askAgain: '/register',
    });
  });
}

function requireOpen({ config }: AccountDependencies): void {
  if (config().dashboard.registration !== 'open') throw new PageError(404, 'This page does not exist.');
}
