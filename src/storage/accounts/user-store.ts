import type { BudgetKeys, MailBudgets } from '../held-signups/held-signup-store.ts';

/** An operator sees every account and administers; a member sees its own. */
export type Role = 'operator' | 'member';

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly createdAt: number;
  /** Of somebody who may sign in. Null: an account of keys alone. */
  readonly email: string | null;
  readonly role: Role;
  /** Null: no password was chosen yet. */
  readonly passwordChangedAt: number | null;
  readonly lastSignedInAt: number | null;
}

/**
 * People are accounts with an email: they may sign in to the dashboard. Emails are given as `readEmail` of the caller
 * made them: one spelling for one sign-in. Times are milliseconds since the epoch.
 */
export interface People {
  findByEmail(email: string): Promise<Account | null>;
  /** What signing in compares with. `password` is null until its owner has chosen one. */
  findPassword(
    email: string,
  ): Promise<{ readonly account: Account; readonly password: string | null } | null>;
  findPasswordOf(accountId: string): Promise<string | null>;
  /** Whether an operator has chosen a password: until then a set-up link makes the first one. */
  hasOperator(): Promise<boolean>;
  /**
   * Makes an account that its owner has yet to choose a password for.
   *
   * @throws StorageConflictError when there is an account with that email.
   */
  invite(person: NewPerson): Promise<Account>;
  /**
   * Null where there is no such account.
   *
   * @throws StorageConflictError when nobody would be left as operator, or the account has no email.
   */
  setRole(accountId: string, role: Role): Promise<Account | null>;
  /**
   * Nobody signs in to the account any more, and its keys open nothing within a second. What it decided and used stays,
   * under a name that says so. False where there is no such account.
   *
   * @throws StorageConflictError when nobody would be left as operator.
   */
  close(accountId: string): Promise<boolean>;
  /** Ends the other sessions of the account, and its mailed links. */
  changePassword(change: PasswordChange): Promise<void>;
  /** Ordered by email; those after `after`, from the start where it is null. */
  list(page: { readonly after: string | null; readonly limit: number }): Promise<readonly Account[]>;
}

export interface NewPerson {
  readonly email: string;
  readonly role: Role;
  readonly plan: string;
}

export interface PasswordChange {
  readonly accountId: string;
  /** As the hasher made it. */
  readonly password: string;
  /** The session that stays, by its id. */
  readonly keepSession: string;
}

/** Signed-in browsers. A session is looked up for each request, so that ending one holds at once in every process. */
export interface Sessions {
  /**
   * Also notes the sign-in with the account. Beyond 50 sessions of an account the one longest unused ends.
   *
   * @param passwordChangedAt Of the account as it was when the password was compared. Null is returned where the
   *   password is another one by now: a change must not miss the session that is just being made.
   */
  create(session: NewSession, passwordChangedAt: number | null): Promise<Session | null>;
  /** The session with its account, and counted as seen. Null: ended, 7 days unused or 30 days old. */
  find(id: string): Promise<{ readonly session: Session; readonly account: Account } | null>;
  /** Of an account, the one seen last first. */
  list(accountId: string): Promise<readonly Session[]>;
  /** False where the account has no such session. */
  end(id: string, accountId: string): Promise<boolean>;
  /** Ends all of an account but `keep`. Returns how many. */
  endAll(accountId: string, keep: string | null): Promise<number>;
  /** Removes sessions and mailed links past their time, in bounded steps. Returns how many. */
  deleteExpired(): Promise<number>;
}

export interface NewSession {
  /** SHA-256 of the cookie's token, hex. */
  readonly id: string;
  readonly accountId: string;
  /** Shown to its owner: `Firefox on Linux`. */
  readonly browser: string;
  /** Truncated: `203.0.113.0/24`. */
  readonly network: string;
}

export interface Session extends NewSession {
  readonly createdAt: number;
  /** To the minute. */
  readonly lastSeenAt: number;
  readonly expiresAt: number;
}

/**
 * What a link in a mail or from the command line is for. `set-up` without an account makes the first operator; with
 * one, its owner chooses the first password.
 */
export type AccountTokenKind = 'set-up' | 'registration' | 'password-reset' | 'email-change';

/** Links that work once. Each is used up together with what it does, in one transaction: of fifty clicks one counts. */
export interface AccountTokens {
  create(token: NewAccountToken): Promise<void>;
  /**
   * Counts a mail as well. False, and nothing is stored, when an hourly budget is used up: for a new password, that of
   * the mailbox counted over such links alone.
   */
  createForMail(token: NewAccountToken, mail: MailCount): Promise<boolean>;
  /** Counts a mail that carries no link. False when an hourly budget is used up. */
  countMail(mail: MailCount): Promise<boolean>;
  /** What a link that still works is for; looking uses nothing up. */
  find(id: string): Promise<AccountToken | null>;
  /** `set-up` without an account: makes the first operator. */
  makeFirstOperator(use: TokenUse & Pick<NewPerson, 'email' | 'plan'>): Promise<TokenOutcome>;
  /** `registration`: makes a member with the token's email. */
  register(use: TokenUse & Pick<NewPerson, 'plan'>): Promise<TokenOutcome>;
  /** `set-up` with an account and `password-reset`: ends every session and every other link of the account. */
  choosePassword(use: TokenUse): Promise<TokenOutcome>;
  /** `email-change`: from now on the account's email is the token's. */
  confirmEmail(id: string): Promise<EmailOutcome>;
}

export interface NewAccountToken {
  /** SHA-256 of the link's token, hex. */
  readonly id: string;
  readonly kind: AccountTokenKind;
  readonly accountId: string | null;
  readonly email: string | null;
  readonly lifetimeMs: number;
}

export interface AccountToken extends Omit<NewAccountToken, 'lifetimeMs'> {
  readonly expiresAt: number;
}

export interface MailCount {
  readonly keys: BudgetKeys;
  readonly budgets: MailBudgets;
}

export interface TokenUse {
  readonly id: string;
  /** As the hasher made it. */
  readonly password: string;
}

export type TokenOutcome =
  | { readonly done: true; readonly account: Account }
  /** `closed`: used, expired or of no use any more. `taken`: there is an account with that email. */
  | { readonly done: false; readonly because: 'closed' | 'taken' };

export type EmailOutcome =
  | { readonly done: true; readonly account: Account; readonly before: string }
  | { readonly done: false; readonly because: 'closed' | 'taken' };
