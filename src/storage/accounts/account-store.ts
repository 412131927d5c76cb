/**
 * An operator sees and changes everything. Support sees the decisions and the review desk of the site. A member sees
 * its own account.
 */
export const ROLES = ['operator', 'support', 'member'] as const;
export type Role = (typeof ROLES)[number];

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly createdAt: number;
  /** The email of a user, who may sign in. Null when the account has only API keys. */
  readonly email: string | null;
  readonly role: Role;
  /** Null when the user has not chosen a password yet. */
  readonly passwordChangedAt: number | null;
  readonly lastSignedInAt: number | null;
  /** Null when two-factor is off. */
  readonly twoFactorSince: number | null;
}

export interface AccountStore {
  find(id: string): Promise<Account | null>;
  findByName(name: string): Promise<Account | null>;
  /**
   * The accounts ordered by name, starting after `after`. With a text: only accounts whose name contains it, in upper
   * or lower case.
   */
  page(query: {
    readonly after: string | null;
    readonly limit: number;
    readonly text: string | null;
  }): Promise<readonly Account[]>;
  /** @throws StorageConflictError when an account has that name. */
  create(account: { readonly name: string; readonly plan: string }): Promise<Account>;
  setPlan(id: string, plan: string): Promise<void>;
  /** Creates the account, or sets the plan of the account with that name. Used for keys in the YAML. */
  ensure(account: { readonly name: string; readonly plan: string }): Promise<Account>;
}
