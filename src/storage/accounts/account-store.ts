/**
 * An operator sees every account and administers; support sees the decisions and the review desk of the site; a member sees
 * its own account.
 */
export const ROLES = ['operator', 'support', 'member'] as const;
export type Role = (typeof ROLES)[number];

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly createdAt: number;
  /** Of a user, who may sign in. Null: the account has API keys only. */
  readonly email: string | null;
  readonly role: Role;
  /** Null: no password was chosen yet. */
  readonly passwordChangedAt: number | null;
  readonly lastSignedInAt: number | null;
  /** Null: two-factor is off. */
  readonly twoFactorSince: number | null;
}

export interface AccountStore {
  find(id: string): Promise<Account | null>;
  findByName(name: string): Promise<Account | null>;
  /** Ordered by name, starting after `after`. With a text: accounts whose name contains it, in any case. */
  page(query: {
    readonly after: string | null;
    readonly limit: number;
    readonly text: string | null;
  }): Promise<readonly Account[]>;
  /** @throws StorageConflictError when an account has that name. */
  create(account: { readonly name: string; readonly plan: string }): Promise<Account>;
  setPlan(id: string, plan: string): Promise<void>;
  /** Creates the account, or sets the plan of the one with that name. For keys in the YAML. */
  ensure(account: { readonly name: string; readonly plan: string }): Promise<Account>;
}
