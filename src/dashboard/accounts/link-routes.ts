import { EMAIL_MISTAKE, readEmail } from '../../accounts/read-email.ts';
import type { AccountToken, TokenOutcome } from '../../storage/accounts/people-records.ts';
import { tokenSha256 } from '../../web/tokens.ts';
import { seeOther } from '../access.ts';
import type { DashboardContext, DashboardRouter } from '../router.ts';
import type { PeopleDependencies } from './account-dependencies.ts';
import { openSession } from './browser-session.ts';
import { sendClosedLinkPage, sendLinkPage, sendTakenPage } from './open-link-pages.tsx';
import { passwordProblem, readPassword } from './password-rules.ts';
import { clientIp, originOf } from './request-client.ts';

const NEW_ACCOUNT_PLAN = 'hobby';

/** Links from mails and from the command line. Opening one uses nothing up: scanners of mails open them too. */
export function registerLinks(router: DashboardRouter, parts: PeopleDependencies): void {
  router.get('/links/:token', async (context) => {
    const token = await findToken(context, parts);
    if (token) sendLinkPage(context, token);
    else sendClosedLinkPage(context);
  });
  router.post('/links/:token', async (context) => {
    const token = await findToken(context, parts);
    if (!token) sendClosedLinkPage(context);
    else if (token.kind === 'email-change') await confirmEmail(context, token, parts);
    else await choosePassword(context, token, parts);
  });
}

function findToken(
  { params }: DashboardContext,
  { records }: PeopleDependencies,
): Promise<AccountToken | null> {
  return records.accountTokens.find(tokenSha256(params.token ?? ''));
}

async function choosePassword(
  context: DashboardContext,
  token: AccountToken,
  parts: PeopleDependencies,
): Promise<void> {
  const { form } = context.state;
  const password = readPassword(form, 'password');
  const typed = form.text('email');
  const email = token.email ?? readEmail(typed)?.text ?? null;
  const mistakes = {
    email: typed,
    emailError: email === null ? EMAIL_MISTAKE : undefined,
    passwordError: passwordProblem(password, email),
  };
  if (email === null || mistakes.passwordError !== undefined) {
    sendLinkPage(context, token, mistakes);
    return;
  }
  const hashed = await parts.hasher.hash(password);
  const outcome = await redeem(token, { email, password: hashed }, parts);
  if (!outcome.done) {
    if (outcome.because === 'taken') sendTakenPage(context);
    else sendClosedLinkPage(context);
    return;
  }
  const { account } = outcome;
  const isNew = token.accountId === null;
  await parts.records.audit.record({
    ...{ at: parts.clock(), actorId: account.id, actorName: account.name, subject: account.name },
    act: isNew ? 'account.created' : 'account.password_set',
    detail: isNew ? { role: account.role, plan: account.plan } : {},
  });
  parts.throttle.forget({ account: email, origin: originOf(clientIp(context, parts.config())) });
  await openSession(context, account, parts);
  seeOther(context, '/');
}

function redeem(
  { id, kind, accountId }: AccountToken,
  { email, password }: { readonly email: string; readonly password: string },
  { records: { accountTokens } }: PeopleDependencies,
): Promise<TokenOutcome> {
  if (kind === 'registration') return accountTokens.register({ id, password, plan: NEW_ACCOUNT_PLAN });
  if (accountId === null) {
    return accountTokens.makeFirstOperator({ id, password, email, plan: NEW_ACCOUNT_PLAN });
  }
  return accountTokens.choosePassword({ id, password });
}

/** Whoever asked was signed in and gave the password; this shows that the new mailbox is theirs too. */
async function confirmEmail(
  context: DashboardContext,
  token: AccountToken,
  parts: PeopleDependencies,
): Promise<void> {
  const outcome = await parts.records.accountTokens.confirmEmail(token.id);
  if (!outcome.done) {
    if (outcome.because === 'taken') sendTakenPage(context);
    else sendClosedLinkPage(context);
    return;
  }
  const { account } = outcome;
  await parts.records.audit.record({
    ...{ at: parts.clock(), actorId: account.id, actorName: account.name, subject: account.name },
    ...{ act: 'account.email_set', detail: {} },
  });
  const before = readEmail(outcome.before);
  if (before) parts.desk.emailChanged({ email: before, ip: clientIp(context, parts.config()) });
  seeOther(context, '/account?done=email');
}
