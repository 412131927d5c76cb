import type { Account } from '../accounts/account-store.ts';

export interface ApiKeyStore {
  /**
   * Stores the hash of a key that the caller generated.
   *
   * @throws StorageConflictError when the account has a usable key of that name.
   */
  create(key: NewApiKey): Promise<ApiKey>;
  list(): Promise<readonly (ApiKey & { readonly account: Account })[]>;
  /** Of one account, newest first: at most 1,000. */
  listOf(accountId: string): Promise<readonly ApiKey[]>;
  /** Of any account: keys whose name begins with the text, or that end in it. At most `limit`. */
  search(text: string, limit: number): Promise<readonly (ApiKey & { readonly accountName: string })[]>;
  /** The number of usable keys of each of these accounts. Accounts without usable keys are left out. */
  countUsable(accountIds: readonly string[], now: number): Promise<ReadonlyMap<string, number>>;
  /** Null when the account has no usable key with that id. */
  rotate(rotation: KeyRotation): Promise<{ readonly replaced: ApiKey; readonly replacement: ApiKey } | null>;
  /** Null when the account has no active key with that id. */
  revokeOf(accountId: string, id: string): Promise<ApiKey | null>;
  /**
   * Revokes the unrevoked key with that name, last four or id, and returns it; an empty list when no key matches.
   * @throws StorageConflictError when several keys match; then no key is revoked.
   */
  revoke(nameOrLastFour: string): Promise<readonly ApiKey[]>;
  /**
   * The usable key with that SHA-256 (hex): neither revoked nor expired. Cached for half a second, or for as
   * long as the revision of the records confirms it, so that a revocation by another process takes effect within a second. An unknown key takes as long as a known one.
   */
  authorize(sha256: string, now: number): Promise<AuthorizedKey | null>;
  /** After keys were changed by other means: `authorize` asks the database again. */
  refresh(): void;
}

/** The additional rights of a key: `gate` reads decisions of the gate, which belong to no account. */
export const KEY_SCOPES = ['gate'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** A scope that this version does not know gives no rights. */
export function toKeyScope(scope: string | null): KeyScope | null {
  return KEY_SCOPES.find((known) => known === scope) ?? null;
}

export interface ApiKey {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly lastFour: string;
  /** Requests with a test key count against no quota and no velocity limit. */
  readonly test: boolean;
  readonly scope: KeyScope | null;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  readonly lastUsedAt: number | null;
}

/** A usable key, with the fields of its account that the API needs. */
export interface AuthorizedKey {
  readonly keyId: string;
  readonly accountId: string;
  readonly accountName: string;
  readonly plan: string;
  readonly test: boolean;
  readonly scope: KeyScope | null;
}

export interface NewApiKey {
  readonly accountId: string;
  readonly name: string;
  readonly sha256: string;
  readonly lastFour: string;
  readonly test: boolean;
  /** Left out: none. */
  readonly scope?: KeyScope | null;
  readonly expiresAt: number | null;
}

/** The replacement has the name, the kind and the scope of the old key, and no expiry. */
export interface KeyRotation {
  readonly accountId: string;
  /** Of the key that is replaced. */
  readonly id: string;
  readonly sha256: string;
  readonly lastFour: string;
  /** The time for which both keys work; 0 revokes the old key at once. */
  readonly overlapMs: number;
}
