import { EMAIL_MISTAKE, readEmail } from '../../accounts/read-email.ts';
import { seeOther, signedIn, viewerOf } from '../access.ts';
import { notThere } from '../page-error.ts';
import type { DashboardContext, DashboardRouter } from '../router.ts';
import type { PeopleDependencies } from './account-dependencies.ts';
import { checkPassword } from './check-password.ts';
import { rememberBrowser } from './known-browser.ts';
import { sendLookIntoMailboxPage } from './mailbox-page.tsx';
import { type AccountMistakes, DONE, sendAccountPage } from './own-account-page.tsx';
import { passwordProblem, readPassword } from './password-rules.ts';
import { clientIp, originOf } from './request-client.ts';

const WRONG_PASSWORD = 'That is not your password.';

/** One's own account: password, email and sessions. */
export function registerAccount(router: DashboardRouter, parts: PeopleDependencies): void {
  router.get('/account', signedIn, (context) => showAccount(context, parts));
  router.post('/account/password', signedIn, (context) => changePassword(context, parts));
  router.post('/account/email', signedIn, (context) => changeEmail(context, parts));
  router.post('/account/sessions', signedIn, (context) => endSessions(context, parts));
}

async function showAccount(
  context: DashboardContext,
  { records }: PeopleDependencies,
  mistakes: AccountMistakes = {},
): Promise<void> {
  const { accountId, sessionId } = viewerOf(context);
  const account = await records.accounts.find(accountId);
  if (!account) throw notThere();
  const done = String(context.query.done ?? '');
  sendAccountPage(context, {
    ...{ account, mistakes, currentSession: sessionId },
    sessions: await records.sessions.list(accountId),
    done: Object.hasOwn(DONE, done) ? DONE[done as keyof typeof DONE] : null,
  });
}

async function changePassword(context: DashboardContext, parts: PeopleDependencies): Promise<void> {
  const { accountId, sessionId, email, name } = viewerOf(context);
  const { form } = context.state;
  const password = readPassword(form, 'password');
  const next = passwordProblem(password, email);
  const current = await currentPasswordProblem(context, 'current', parts);
  if (next !== undefined || current !== undefined) {
    await showAccount(context, parts, { password: { current, next } });
    return;
  }
  const hashed = await parts.hasher.hash(password);
  await parts.records.people.changePassword({ accountId, password: hashed, keepSession: sessionId });
  const account = await parts.records.accounts.find(accountId);
  // What the browser was known by is void with the old password.
  if (account) rememberBrowser(context, account, parts);
  await parts.records.audit.record({
    ...{ at: parts.clock(), actorId: accountId, actorName: name, subject: name },
    ...{ act: 'account.password_set', detail: {} },
  });
  seeOther(context, '/account?done=password');
}

async function changeEmail(context: DashboardContext, parts: PeopleDependencies): Promise<void> {
  const { accountId } = viewerOf(context);
  const typed = context.state.form.text('email');
  const email = readEmail(typed);
  const address = email ? undefined : EMAIL_MISTAKE;
  const current = await currentPasswordProblem(context, 'email-password', parts);
  if (!email || current !== undefined) {
    await showAccount(context, parts, { email: { typed, address, current } });
    return;
  }
  parts.desk.changeEmail({ accountId, email, ip: clientIp(context, parts.config()) });
  sendLookIntoMailboxPage(context, {
    hint: 'The link works for 24 hours; until then you sign in as before.',
    askAgain: '/account',
  });
}

async function endSessions(context: DashboardContext, { records, clock }: PeopleDependencies): Promise<void> {
  const { accountId, sessionId, name } = viewerOf(context);
  const end = context.state.form.text('end');
  const ended =
    end === 'others'
      ? await records.sessions.endAll(accountId, sessionId)
      : Number(await records.sessions.end(end, accountId));
  if (ended > 0) {
    await records.audit.record({
      ...{ at: clock(), actorId: accountId, actorName: name, subject: name },
      ...{ act: 'session.revoked', detail: { sessions: ended } },
    });
  }
  seeOther(context, '/account?done=sessions');
}

/** A session that was stolen must not be enough to take the account over, nor to guess its password. */
async function currentPasswordProblem(
  context: DashboardContext,
  field: string,
  parts: PeopleDependencies,
): Promise<string | undefined> {
  const { accountId, sessionId } = viewerOf(context);
  const origin = originOf(clientIp(context, parts.config()));
  const password = readPassword(context.state.form, field);
  const stored = await parts.records.people.findPasswordOf(accountId);
  const guesser = { account: `account ${accountId}`, origin, browser: `session ${sessionId}` };
  const isRight = await checkPassword({ guesser, password, stored }, parts);
  return isRight ? undefined : WRONG_PASSWORD;
}
