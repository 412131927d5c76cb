import { linkLifetime } from '../../accounts/account-links.ts';
import { everyUser, seeOther, viewerOf } from '../access.ts';
import { notThere } from '../page-error.ts';
import type { DashboardContext, DashboardRouter } from '../router.ts';
import { setKnownBrowserCookie } from './account-cookies.ts';
import type { AccountDependencies } from './account-dependencies.ts';
import { sendLookIntoMailboxPage } from './link-by-mail-pages.tsx';
import { type OwnAccountProblems, sendOwnAccountPage } from './own-account-page.tsx';
import { clientOf } from './request-client.ts';

const DONE: Readonly<Record<string, string>> = {
  password: 'The password was changed. All other sessions were signed out.',
  email: 'The email was changed. Sign in with the new email from now on.',
  sessions: 'Signed out.',
  passkey: 'The passkey was added. You can sign in with it from now on.',
  'passkey-removed': 'The passkey was removed.',
};

/** The viewer's own account: password, email and sessions. */
export function registerOwnAccount(router: DashboardRouter, dependencies: AccountDependencies): void {
  const { accounts, records, publicUrl, config } = dependencies;
  const sendsMails = () => config().mail.smtp !== null;

  router.get('/account', everyUser, (context) => show(context));

  router.post('/account/password', everyUser, async (context) => {
    const { form } = context.state;
    const client = clientOf(context, dependencies);
    const passwords = { current: form.raw('current'), next: form.raw('password') };
    const outcome = await accounts.selfService.changePassword(viewerOf(context), passwords, client);
    if (!outcome.done) return show(context, { password: outcome.problems });
    setKnownBrowserCookie(context, publicUrl(), outcome.knownBrowser);
    seeOther(context, '/account?done=password');
  });

  router.post('/account/email', everyUser, async (context) => {
    if (!sendsMails()) return show(context);
    const { form } = context.state;
    const typed = form.text('email');
    const input = { email: typed, password: form.raw('email-password') };
    const client = clientOf(context, dependencies);
    const outcome = await accounts.selfService.requestEmailChange(viewerOf(context), input, client);
    if (!outcome.done) return show(context, { email: { typed, ...outcome.problems } });
    sendLookIntoMailboxPage(context, {
      hint: `The link works for ${linkLifetime('email-change')}; until then you sign in as before.`,
      askAgain: '/account',
    });
  });

  router.post('/account/sessions', everyUser, async (context) => {
    const end = context.state.form.text('end');
    if (end === 'others') await accounts.selfService.endOtherSessions(viewerOf(context));
    else await accounts.selfService.endSession(viewerOf(context), end);
    seeOther(context, '/account?done=sessions');
  });

  router.post('/account/passkeys/options', everyUser, async (context) => {
    context.body = await accounts.passkeys.beginAdding(viewerOf(context));
  });

  router.post('/account/passkeys', everyUser, async (context) => {
    const { form } = context.state;
    const input = {
      response: form.raw('response'),
      name: form.text('passkey-name'),
      password: form.raw('passkey-password'),
      code: form.text('passkey-code'),
    };
    const client = clientOf(context, dependencies);
    const outcome = await accounts.passkeys.add(viewerOf(context), input, client);
    if (outcome.done) seeOther(context, '/account?done=passkey');
    else await show(context, { passkey: outcome });
  });

  router.post('/account/passkeys/remove', everyUser, async (context) => {
    await accounts.passkeys.remove(viewerOf(context), context.state.form.text('id'));
    seeOther(context, '/account?done=passkey-removed');
  });

  async function show(context: DashboardContext, problems: OwnAccountProblems = {}): Promise<void> {
    const { accountId, sessionId } = viewerOf(context);
    const account = await records.accounts.find(accountId);
    if (!account) throw notThere();
    const done = String(context.query.done ?? '');
    sendOwnAccountPage(context, {
      account,
      sessions: await records.sessions.list(accountId),
      passkeys: await records.passkeys.list(accountId),
      canAddPasskeys: accounts.passkeys.isAvailable(),
      sendsMails: sendsMails(),
      isPasskeyNeeded: config().dashboard.require_two_factor,
      currentSession: sessionId,
      done: Object.hasOwn(DONE, done) ? (DONE[done] ?? null) : null,
      problems,
    });
  }
}
