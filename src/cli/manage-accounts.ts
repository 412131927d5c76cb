import { createPasswordLink } from '../accounts/account-links.ts';
import { EMAIL_MISTAKE, readEmail } from '../accounts/read-email.ts';
import type { Clock } from '../clock.ts';
import type { Account, Role } from '../storage/accounts/people-records.ts';
import type { AuditAct, AuditDetail } from '../storage/audit/audit.ts';
import type { Storage } from '../storage/storage.ts';
import type { ExitCode } from './command-context.ts';
import { refuse, reportingErrors } from './records-errors.ts';
import { tableOf } from './table.ts';

const DEFAULT_PLAN = 'hobby';
const ROLES: readonly Role[] = ['operator', 'member'];
const PAGE_ROWS = 500;

export interface AccountsContext {
  readonly records: Storage;
  /** The names under `api.plans`, those that come with Gatekeeper included. */
  readonly plans: readonly string[];
  /** Where people reach the dashboard; null where only the running server knows its port. */
  readonly publicUrl: string | null;
  readonly clock: Clock;
  /** Standard output and standard error. */
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
}

export interface InviteOptions {
  readonly email: string;
  /** Null: member. */
  readonly role: string | null;
  /** Null: `hobby`. */
  readonly plan: string | null;
}

/** `gatekeeper accounts list [--json]`. */
export function listAccounts(
  { json }: { readonly json: boolean },
  context: AccountsContext,
): Promise<ExitCode> {
  return reportingErrors(context, async () => {
    const accounts: Account[] = [];
    for (let after: string | null = null; ; ) {
      const page: readonly Account[] = await context.records.people.list({ after, limit: PAGE_ROWS });
      accounts.push(...page);
      after = page.at(-1)?.email ?? null;
      if (page.length < PAGE_ROWS) break;
    }
    const described = accounts.map(describeAccount);
    if (json) context.write(`${JSON.stringify(described, null, 2)}\n`);
    else if (described.length > 0) context.write(accountTable(described));
    else
      context.writeError('There are no accounts: gatekeeper serve prints a link that makes the first one.\n');
    return 0;
  });
}

/** `gatekeeper accounts invite`: standard output gets the link and nothing else. Once more for who lost the link. */
export function invite(options: InviteOptions, context: AccountsContext): Promise<ExitCode> {
  return reportingErrors(context, async () => {
    const { people } = context.records;
    const email = readEmail(options.email)?.text;
    if (email === undefined) return refuse(context, EMAIL_MISTAKE);
    const { role = null, plan = null } = options;
    if (role !== null && !isRole(role)) return refuse(context, roleMistake(role));
    if (plan !== null && !context.plans.includes(plan)) return refuse(context, planMistake(plan, context));
    if (context.publicUrl === null) return refuse(context, NO_ADDRESS);
    const found = await people.findByEmail(email);
    if (found && (found.passwordChangedAt !== null || role !== null || plan !== null)) {
      return refuse(
        context,
        `${email} has an account already: see gatekeeper accounts --help for what to change.`,
      );
    }
    const account =
      found ?? (await people.invite({ email, role: role ?? 'member', plan: plan ?? DEFAULT_PLAN }));
    await audit(context, 'account.invited', account, { role: account.role, plan: account.plan });
    return printLink({ id: account.id, email }, { kind: 'set-up', lasting: '7 days' }, context);
  });
}

/** `gatekeeper accounts set-role <email> <role>`. */
export function setRole(typed: string, role: string, context: AccountsContext): Promise<ExitCode> {
  return withAccount(typed, context, async (account) => {
    if (!isRole(role)) return refuse(context, roleMistake(role));
    await context.records.people.setRole(account.id, role);
    await audit(context, 'account.role_set', account, { role });
    context.write(`${account.email} is ${role === 'operator' ? 'an operator' : 'a member'} now.\n`);
    return 0;
  });
}

/** `gatekeeper accounts set-plan <email> <plan>`. */
export function setPlan(typed: string, plan: string, context: AccountsContext): Promise<ExitCode> {
  return withAccount(typed, context, async (account) => {
    if (!context.plans.includes(plan)) return refuse(context, planMistake(plan, context));
    await context.records.accounts.setPlan(account.id, plan);
    await audit(context, 'account.plan_set', account, { plan });
    context.write(`${account.email} is on the plan ${plan} now.\n`);
    return 0;
  });
}

/** `gatekeeper accounts reset-password <email>`: standard output gets the link and nothing else. */
export function resetPassword(typed: string, context: AccountsContext): Promise<ExitCode> {
  return withAccount(typed, context, async ({ id, name, email }) => {
    if (context.publicUrl === null) return refuse(context, NO_ADDRESS);
    await audit(context, 'account.reset_link_made', { name });
    return printLink({ id, email }, { kind: 'password-reset', lasting: 'an hour' }, context);
  });
}

/** `gatekeeper accounts sign-out <email>`: ends every session, in every process at once. */
export function signOut(typed: string, context: AccountsContext): Promise<ExitCode> {
  return withAccount(typed, context, async (account) => {
    const ended = await context.records.sessions.endAll(account.id, null);
    if (ended > 0) await audit(context, 'session.revoked', account, { sessions: ended });
    context.write(`${ended} ${ended === 1 ? 'session' : 'sessions'} of ${account.email} ended.\n`);
    return 0;
  });
}

/** `gatekeeper accounts close <email>`. */
export function closeAccount(typed: string, context: AccountsContext): Promise<ExitCode> {
  return withAccount(typed, context, async (account) => {
    await context.records.people.close(account.id);
    await audit(context, 'account.closed', account, {});
    context.write(`Closed: ${account.email} cannot sign in, and its keys are refused within a second.\n`);
    return 0;
  });
}

const NO_ADDRESS =
  'dashboard.listen takes any free port, so that no link can be made here: give it a port, or set dashboard.public_url.';

type Person = Account & { readonly email: string };

function withAccount(
  typed: string,
  context: AccountsContext,
  work: (account: Person) => Promise<ExitCode>,
): Promise<ExitCode> {
  return reportingErrors(context, async () => {
    const email = readEmail(typed)?.text;
    if (email === undefined) return refuse(context, EMAIL_MISTAKE);
    const account = await context.records.people.findByEmail(email);
    if (account) return work({ ...account, email });
    return refuse(context, `${email} has no account. gatekeeper accounts list shows those there are.`);
  });
}

async function printLink(
  account: { readonly id: string; readonly email: string },
  { kind, lasting }: { readonly kind: 'set-up' | 'password-reset'; readonly lasting: string },
  { records, publicUrl, ...context }: AccountsContext,
): Promise<ExitCode> {
  if (publicUrl === null) return refuse(context, NO_ADDRESS);
  const link = await createPasswordLink(records, account, { kind, publicUrl });
  context.writeError(`Give this link to ${account.email}. It works once, for ${lasting}:\n`);
  context.write(`${link}\n`);
  return 0;
}

function isRole(text: string): text is Role {
  return (ROLES as readonly string[]).includes(text);
}

function roleMistake(role: string): string {
  return `There is no role "${role}". Roles: ${ROLES.join(', ')}.`;
}

function planMistake(plan: string, { plans }: AccountsContext): string {
  return `There is no plan "${plan}". Plans: ${[...plans].sort().join(', ')}.`;
}

function audit(
  { records, clock }: AccountsContext,
  act: AuditAct,
  { name }: { readonly name: string },
  detail: AuditDetail = {},
): Promise<void> {
  return records.audit.record({
    at: clock(),
    actorId: null,
    actorName: 'command line',
    act,
    subject: name,
    detail,
  });
}

/** The shape of `accounts list --json`. */
function describeAccount({ email, role, plan, createdAt, passwordChangedAt, lastSignedInAt }: Account) {
  return {
    email: email ?? '',
    role,
    plan,
    state: passwordChangedAt === null ? 'invited' : 'active',
    created_at: new Date(createdAt).toISOString(),
    last_signed_in_at: lastSignedInAt === null ? null : new Date(lastSignedInAt).toISOString(),
  };
}

function accountTable(accounts: readonly ReturnType<typeof describeAccount>[]): string {
  const head = ['EMAIL', 'ROLE', 'PLAN', 'STATE', 'CREATED', 'LAST SIGNED IN'];
  return tableOf(
    head,
    accounts.map(({ email, role, plan, state, created_at, last_signed_in_at }) => [
      ...[email, role, plan, state, created_at.slice(0, 16), last_signed_in_at?.slice(0, 16) ?? 'never'],
    ]),
  );
}
