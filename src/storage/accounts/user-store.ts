import type { Account, Role } from './account-store.ts';

/**
 * Users are the accounts with an email: they may sign in to the dashboard. The caller passes an email in the spelling
 * that `readEmail` returns.
 */
export interface UserStore {
  findByEmail(email: string): Promise<Account | null>;
  /** The stored password for signing in. `password` is null until the user has chosen one. */
  findPassword(
    email: string,
  ): Promise<{ readonly account: Account; readonly password: string | null } | null>;
  findPasswordOf(accountId: string): Promise<string | null>;
  /** Whether an operator has chosen a password. Before that, a set-up link creates the first operator. */
  hasOperator(): Promise<boolean>;
  /**
   * Creates an account without a password.
   *
   * @param invitedBy The account of the operator; left out: the command line.
   * @throws StorageConflictError when an account has that email.
   */
  invite(user: NewUser, invitedBy?: string | null): Promise<Account>;
  /** Users without a password, the newest first. */
  openInvitations(limit: number): Promise<readonly OpenInvitation[]>;
  /**
   * Ends an invitation and its links. The account is deleted, or closed if it has API keys. False when the user has
   * chosen a password, or there is no such account.
   */
  withdraw(accountId: string): Promise<boolean>;
  /**
   * Null when there is no such account.
   *
   * @throws StorageConflictError when the last operator would be removed, or the account has no email.
   */
  setRole(accountId: string, role: Role): Promise<Account | null>;
  /**
   * The account can no longer sign in, and its keys are refused within a second. Its decisions and its usage stay,
   * under a name that says that it is closed. False when there is no such account.
   *
   * @throws StorageConflictError when the last operator would be removed.
   */
  close(accountId: string): Promise<boolean>;
  /** Ends the other sessions of the account, and its mailed links. */
  changePassword(change: PasswordChange): Promise<void>;
  /** Ordered by email, from the one after `after`; null: from the first. */
  list(page: { readonly after: string | null; readonly limit: number }): Promise<readonly Account[]>;
}

export interface OpenInvitation {
  readonly account: Account;
  /** The name of the operator. Null: the command line. */
  readonly invitedBy: string | null;
  /** The expiry of the newest link; null when all links have expired. */
  readonly expiresAt: number | null;
}

export interface NewUser {
  readonly email: string;
  readonly role: Role;
  readonly plan: string;
}

export interface PasswordChange {
  readonly accountId: string;
  /** The hash. */
  readonly password: string;
  /** The id of the session that continues. */
  readonly keepSession: string;
}
