import type { AttemptIdentity } from '../assessment/identity.ts';
import type { Policy } from '../assessment/policy.ts';
import type { Account, AccountTokens, People, Sessions } from './accounts/user-store.ts';
import type { AuditLog } from './audit/audit-log.ts';
import type { DecisionRecord, Label, StoredDecision } from './decisions/decision-record.ts';
import type { DecisionSearch } from './decisions/search/decision-search.ts';
import type { HeldSignups } from './held-signups/held-signup-store.ts';
import type { ListEntries } from './lists/list-entry-store.ts';
import type { DecisionBounds, DecisionTrim, TrimProgress } from './retention/decision-bounds.ts';
import type { ErasedPerson, Erasure } from './retention/erasure.ts';
import type { Rollups } from './rollups/rollup-store.ts';

export type { DecisionRecord, Label, StoredDecision } from './decisions/decision-record.ts';

/**
 * What the doors ask of the records database, engine left open. Every write that is answered is durable: it survives
 * the end of the process at any moment. Times are milliseconds since the epoch.
 */
export interface Storage {
  readonly accounts: Accounts;
  readonly apiKeys: ApiKeys;
  readonly quotas: Quotas;
  readonly decisions: Decisions;
  readonly decisionSearch: DecisionSearch;
  readonly ledger: ScoringLedger;
  readonly heldSignups: HeldSignups;
  readonly listEntries: ListEntries;
  readonly audit: AuditLog;
  readonly people: People;
  readonly sessions: Sessions;
  readonly accountTokens: AccountTokens;
  readonly rollups: Rollups;
  /** Removes all that is stored about a person's mailbox. Can be repeated, also while a server runs. */
  erase(person: ErasedPerson): Promise<Erasure>;
  /** Throws when the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface Accounts {
  find(id: string): Promise<Account | null>;
  findByName(name: string): Promise<Account | null>;
  /** Ordered by name, those after `after`; with a text those whose name contains it, whatever its case. */
  page(query: {
    readonly after: string | null;
    readonly limit: number;
    readonly text: string | null;
  }): Promise<readonly Account[]>;
  create(account: { readonly name: string; readonly plan: string }): Promise<Account>;
  setPlan(id: string, plan: string): Promise<void>;
  /** Makes the account of that name, or gives the one that is there the plan. For keys that stand in the YAML. */
  ensure(account: { readonly name: string; readonly plan: string }): Promise<Account>;
}

export interface ApiKey {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly lastFour: string;
  /** Test keys never count and touch no velocity. */
  readonly test: boolean;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  readonly lastUsedAt: number | null;
}

/** A key that opens the door, with what the door needs of its account. */
export interface AuthorizedKey {
  readonly keyId: string;
  readonly accountId: string;
  readonly accountName: string;
  readonly plan: string;
  readonly test: boolean;
}

export interface ApiKeys {
  /**
   * Stores the hash of a key that the caller made.
   *
   * @throws StorageConflictError when the account has a usable key of that name.
   */
  create(key: NewApiKey): Promise<ApiKey>;
  list(): Promise<readonly (ApiKey & { readonly account: Account })[]>;
  /** Of one account, newest first: at most 1,000. */
  listOf(accountId: string): Promise<readonly ApiKey[]>;
  /** How many keys of each of these accounts open the door now. Those without are left out. */
  countUsable(accountIds: readonly string[], now: number): Promise<ReadonlyMap<string, number>>;
  /** Null where the account has no usable key of that id. */
  rotate(rotation: KeyRotation): Promise<{ readonly replaced: ApiKey; readonly replacement: ApiKey } | null>;
  /** Null where the account has no unrevoked key of that id. */
  revokeOf(accountId: string, id: string): Promise<ApiKey | null>;
  /**
   * Revokes the key of that name, last four or id. Returns it, or nothing where no unrevoked key goes by that.
   *
   * @throws StorageConflictError when several do; nothing is revoked then.
   */
  revoke(nameOrLastFour: string): Promise<readonly ApiKey[]>;
  /**
   * The key with that SHA-256 (hex), if it may be used now: not revoked, not expired. Remembered for half a second at
   * most, so that a revocation by another process holds within one; unknown keys take the same time as known ones.
   */
  authorize(sha256: string, now: number): AuthorizedKey | null | Promise<AuthorizedKey | null>;
}

export interface NewApiKey {
  readonly accountId: string;
  readonly name: string;
  readonly sha256: string;
  readonly lastFour: string;
  readonly test: boolean;
  readonly expiresAt: number | null;
}

/** A key's replacement: of the same name and kind, without an end. */
export interface KeyRotation {
  readonly accountId: string;
  /** Of the key that is replaced. */
  readonly id: string;
  readonly sha256: string;
  readonly lastFour: string;
  /** How long both work; 0: the old one is revoked. */
  readonly overlapMs: number;
}

export interface Quotas {
  /** What the account has used in the calendar month (UTC) of that time, and on each of its days. */
  usage(accountId: string, now: number): Promise<AccountUsage>;
  /** What each key of the account has used in that month, by key id. Test keys are never counted. */
  usageByKey(accountId: string, now: number): Promise<ReadonlyMap<string, number>>;
  /** What each of these accounts has used in that month. Those that used nothing are left out. */
  usageOf(accountIds: readonly string[], now: number): Promise<ReadonlyMap<string, number>>;
}

export interface AccountUsage {
  readonly used: number;
  /** UTC dates with at least one request, ascending. */
  readonly days: readonly { readonly date: string; readonly used: number }[];
}

export interface Decisions {
  /** Null where there is none of that id, or it is another account's. */
  find(requestId: string, accountId: string): Promise<StoredDecision | null>;
  /** False where there is none of that id, or it is another account's. */
  label(requestId: string, accountId: string, label: Label): Promise<boolean>;
  /**
   * Storage a decision that no quota is counted for (the gate, test keys). Durable once it resolves.
   *
   * @returns the request id that it is found by: of an earlier decision where it repeats that one.
   */
  record(decision: DecisionRecord): Promise<string>;
  /** The identities of the last day's counted attempts and whether they were refused, oldest first, for the velocity windows to be filled from. */
  recent(since: number): AsyncIterable<RecentAttempt>;
  /** Kept once for all revisions that differ in lists alone: those stand with the decisions. */
  savePolicy(revision: string, policy: Policy): Promise<void>;
  findPolicy(revision: string): Promise<Policy | null>;
  /** Removes decisions older than that and answers past their day, in bounded steps. Returns how many rows. */
  deleteBefore(time: number): Promise<number>;
  /**
   * Deletes the oldest decisions beyond the bounds, in bounded steps, and as many as one call may.
   *
   * @param isStopped Asked between two steps.
   */
  trim(bounds: DecisionBounds, isStopped?: () => boolean): Promise<TrimProgress>;
  /** What was deleted for the bounds within the last week. */
  trims(): Promise<readonly DecisionTrim[]>;
  /** Removes the decisions about a mailbox, and what hangs on them. Returns how many. For all there is: `Storage.erase`. */
  erase(mailbox: { readonly mailboxHash: string; readonly spellingHash: string }): Promise<number>;
}

export interface RecentAttempt {
  readonly processedAt: number;
  readonly scope: string;
  readonly identity: AttemptIdentity;
  /** What the door did or, in monitor mode, would have done; at the API, which leaves it to its caller: high risk. */
  readonly isRefused: boolean;
}

/**
 * What one counted scoring writes: the place in the quota, the decision and the idempotent answer, all or none.
 * Calls that arrive in one turn of the event loop share a transaction.
 */
export interface ScoringLedger {
  /**
   * Whether the account can have a place at all; a no here spares the scoring. A no is final for the month (use never
   * shrinks), a yes may be a moment out of date.
   */
  hasRoom(accountId: string, limit: number | null, now: number): boolean | Promise<boolean>;
  /**
   * Takes the place and writes. A test key's decision is written with its answer, but not counted.
   *
   * @throws StorageBusyError when too much waits to be written, or another process holds the database for seconds.
   */
  commit(entry: ScoringEntry): Promise<QuotaOutcome>;
  /** The answer stored under that key within 24 hours. */
  findAnswer(accountId: string, idempotencyKey: string, now: number): Promise<StoredAnswer | null>;
  /** Decisions that wait to be written. */
  queueLength(): number;
}

export interface ScoringEntry {
  readonly accountId: string;
  readonly keyId: string;
  /** Per calendar month (UTC); null: none. */
  readonly limit: number | null;
  readonly decision: DecisionRecord;
  readonly answer: {
    readonly idempotencyKey: string;
    readonly bodySha256: string;
    readonly body: string;
  } | null;
}

export type QuotaOutcome =
  /** Counted: `used` includes this one. `repeatOf`: the request id of an earlier decision that it was folded into. */
  | { readonly granted: true; readonly used: number; readonly repeatOf?: string }
  /**
   * Nothing was written: the quota is used up, or `answered` is what another request (of another process; twins of
   * this one wait for each other) stored under the same idempotency key in the meantime.
   */
  | { readonly granted: false; readonly used: number; readonly answered: StoredAnswer | null };

export interface StoredAnswer {
  readonly bodySha256: string;
  readonly body: string;
  readonly requestId: string;
}
