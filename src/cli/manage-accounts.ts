import {
  type AccessLink,
  type AccountAdministration,
  createAccountAdministration,
} from '../accounts/account-administration.ts';
import { COMMAND_LINE } from '../accounts/account-audit.ts';
import { AccountError } from '../accounts/account-error.ts';
import { DEFAULT_PLAN } from '../accounts/plan-limits.ts';
import { requireEmail } from '../accounts/read-email.ts';
import type { Clock } from '../clock.ts';
import type { Account } from '../storage/accounts/account-store.ts';
import type { Storage } from '../storage/storage.ts';
import type { ExitCode } from './command-context.ts';
import { refuse, reportingRefusals } from './report-refusal.ts';
import { tableOf } from './table.ts';

const PAGE_ROWS = 500;

export interface AccountsContext {
  readonly records: Storage;
  /** The names of all plans: the plans under `api.plans` and the built-in plans. */
  readonly plans: readonly string[];
  /** The URL of the dashboard. Null if only the running server knows its port. */
  readonly publicUrl: string | null;
  readonly clock: Clock;
  /** Standard output and standard error. */
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
  /** Standard output, for what is shown only once. False when it could not be written. */
  readonly deliver: (text: string) => Promise<boolean>;
}

export interface InviteOptions {
  readonly email: string;
  /** The role of the new user. Null: member. */
  readonly role: string | null;
  /** The plan of the new account. Null: `hobby`. */
  readonly plan: string | null;
}

/** `gatekeeper accounts list [--json]`. */
export function listAccounts(
  { json }: { readonly json: boolean },
  context: AccountsContext,
): Promise<ExitCode> {
  return reportingRefusals(context, async () => {
    const accounts: Account[] = [];
    for (let after: string | null = null; ; ) {
      const page: readonly Account[] = await context.records.users.list({ after, limit: PAGE_ROWS });
      accounts.push(...page);
      after = page.at(-1)?.email ?? null;
      if (page.length < PAGE_ROWS) break;
    }
    const described = accounts.map(describeAccount);
    if (json) context.write(`${JSON.stringify(described, null, 2)}\n`);
    else if (described.length > 0) context.write(accountTable(described));
    else
      context.writeError('No accounts yet. gatekeeper serve prints a link that creates the first account.\n');
    return 0;
  });
}

/** `gatekeeper accounts invite`: prints only the link to standard output. A second call creates a new link. */
export function invite(options: InviteOptions, context: AccountsContext): Promise<ExitCode> {
  return reportingRefusals(context, async () => {
    const { role, plan } = options;
    const administration = administrationOf(context);
    const email = requireEmail(options.email).text;
    const found = await context.records.users.findByEmail(email);
    if (found && (found.passwordChangedAt !== null || role !== null || plan !== null)) {
      return refuse(
        context,
        `${email} already has an account. gatekeeper accounts --help lists the commands that change an account.`,
      );
    }
    const invitation = { email, role: role ?? 'member', plan: plan ?? DEFAULT_PLAN };
    const link = found
      ? await administration.inviteAgain(found, COMMAND_LINE)
      : await administration.invite(invitation, COMMAND_LINE);
    return printLink(link, `invite --email ${email}`, context);
  });
}

/** `gatekeeper accounts set-role <email> <role>`. */
export function setRole(email: string, role: string, context: AccountsContext): Promise<ExitCode> {
  return onAccount(email, context, async (account, administration) => {
    await administration.setRole(account, role, COMMAND_LINE);
    context.write(`${account.email} has the role ${role} now.\n`);
    return 0;
  });
}

/** `gatekeeper accounts set-plan <email> <plan>`. */
export function setPlan(email: string, plan: string, context: AccountsContext): Promise<ExitCode> {
  return onAccount(email, context, async (account, administration) => {
    await administration.setPlan(account, plan, COMMAND_LINE);
    context.write(`${account.email} now has the plan ${plan}.\n`);
    return 0;
  });
}

/** `gatekeeper accounts reset-password <email>`: prints only the link to standard output. */
export function resetPassword(email: string, context: AccountsContext): Promise<ExitCode> {
  return onAccount(email, context, async (account, administration) =>
    printLink(
      await administration.createResetLink(account, COMMAND_LINE),
      `reset-password ${account.email}`,
      context,
    ),
  );
}

/** `gatekeeper accounts sign-out <email>`: ends every session, in every process at once. */
export function signOut(email: string, context: AccountsContext): Promise<ExitCode> {
  return onAccount(email, context, async (account, administration) => {
    const ended = await administration.signOut(account, COMMAND_LINE, null);
    context.write(`${ended} ${ended === 1 ? 'session' : 'sessions'} of ${account.email} ended.\n`);
    return 0;
  });
}

/** `gatekeeper accounts remove-two-factor <email>`: also for the only operator. */
export function removeTwoFactor(email: string, context: AccountsContext): Promise<ExitCode> {
  return onAccount(email, context, async (account, administration) => {
    await administration.removeTwoFactor(account, COMMAND_LINE);
    context.write(
      `Removed the second factor of ${account.email}, and ended all sessions. The user now signs in with only the password.\n`,
    );
    return 0;
  });
}

/** `gatekeeper accounts close <email>`. */
export function closeAccount(email: string, context: AccountsContext): Promise<ExitCode> {
  return onAccount(email, context, async (account, administration) => {
    await administration.close(account, COMMAND_LINE);
    context.write(
      `Closed the account of ${account.email}. The user cannot sign in, and its keys are refused within a second.\n`,
    );
    return 0;
  });
}

function administrationOf({ records, plans, publicUrl, clock }: AccountsContext): AccountAdministration {
  return createAccountAdministration({
    records,
    plans: () => plans,
    publicUrl() {
      if (publicUrl !== null) return publicUrl;
      throw new AccountError(
        'conflict',
        'The link needs the port of the dashboard, but dashboard.listen has port 0. Set a port or dashboard.public_url.',
      );
    },
    clock,
  });
}

function onAccount(
  typed: string,
  context: AccountsContext,
  work: (account: Account, administration: AccountAdministration) => Promise<ExitCode>,
): Promise<ExitCode> {
  return reportingRefusals(context, async () => {
    const email = requireEmail(typed).text;
    const account = await context.records.users.findByEmail(email);
    if (account) return work(account, administrationOf(context));
    return refuse(context, `${email} has no account. gatekeeper accounts list shows all accounts.`);
  });
}

/** @param command what makes another link, named when this one could not be written. */
async function printLink(
  { url, email, lasts }: AccessLink,
  command: string,
  { deliver, writeError }: AccountsContext,
): Promise<ExitCode> {
  writeError(`Send this link to ${email}. It works once, for ${lasts}:\n`);
  if (await deliver(`${url}\n`)) return 0;
  writeError(
    `The link could not be written to standard output. For another one: gatekeeper accounts ${command}\n`,
  );
  return 2;
}

/** The shape of `accounts list --json`. */
function describeAccount(account: Account) {
  const { email, role, plan, createdAt, passwordChangedAt, lastSignedInAt, twoFactorSince } = account;
  return {
    email: email ?? '',
    role,
    plan,
    two_factor: twoFactorSince !== null,
    state: passwordChangedAt === null ? 'invited' : 'active',
    created_at: new Date(createdAt).toISOString(),
    last_signed_in_at: lastSignedInAt === null ? null : new Date(lastSignedInAt).toISOString(),
  };
}

function accountTable(accounts: readonly ReturnType<typeof describeAccount>[]): string {
  const head = ['EMAIL', 'ROLE', 'PLAN', 'STATE', 'TWO-FACTOR', 'CREATED', 'LAST SIGNED IN'];
  return tableOf(
    head,
    accounts.map(({ email, role, plan, state, two_factor, created_at, last_signed_in_at }) => [
      email,
      role,
      plan,
      state,
      two_factor ? 'on' : 'off',
      created_at.slice(0, 16),
      last_signed_in_at?.slice(0, 16) ?? 'never',
    ]),
  );
}
