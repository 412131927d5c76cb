import type { DecisionRecord } from './decision-record.ts';

/**
 * The writes of one counted scoring: the quota's use, the decision and the idempotent answer. Either all are written or
 * nothing. Calls in one tick of the event loop share a transaction.
 */
export interface ScoringLedger {
  /**
   * Whether the account may still be within its quota; false saves the scoring. False is final for the month, because
   * usage never decreases. True may be outdated: `commit` decides.
   */
  isWithinQuota(accountId: string, limit: number | null, now: number): Promise<boolean>;
  /**
   * Counts and writes. A test key's decision is written with its answer, but not counted.
   *
   * @throws StorageBusyError when the queue is full, or another process locks the database for seconds.
   */
  commit(entry: ScoringEntry): Promise<QuotaOutcome>;
  /** The answer stored under that key within 24 hours. */
  findAnswer(accountId: string, idempotencyKey: string, now: number): Promise<StoredAnswer | null>;
  /** Writes for another process, whose own ledger prepared the entry. Throws as `commit` does. */
  write(entry: ScoringWrite): Promise<QuotaOutcome>;
  /** Decisions that wait to be written. */
  queueLength(): number;
}

export interface ScoringEntry {
  readonly accountId: string;
  readonly keyId: string;
  /** The quota for a calendar month (UTC); null when there is no quota. */
  readonly limit: number | null;
  readonly decision: DecisionRecord;
  readonly answer: {
    readonly idempotencyKey: string;
    readonly bodySha256: string;
    readonly body: string;
  } | null;
}

/** An entry of the queue: one decision to be written. */
export interface ScoringWrite {
  readonly decision: DecisionRecord;
  /** Null when it was written but not counted. */
  readonly quota: { readonly accountId: string; readonly limit: number | null } | null;
  readonly answer: ScoringEntry['answer'];
  /**
   * Whether its caller acts without the record. Then the entry stays until it is written. Other entries are dropped
   * when their caller leaves.
   */
  readonly staysQueued: boolean;
}

export type QuotaOutcome =
  /** Counted: `used` includes this one. `repeatOf`: the request id of the earlier decision that this one repeats. */
  | { readonly granted: true; readonly used: number; readonly repeatOf?: string }
  /**
   * Nothing was written: the quota is used up, or another process has stored `answered` under the same idempotency key
   * meanwhile. (Requests of this process with the same key wait for each other.)
   */
  | { readonly granted: false; readonly used: number; readonly answered: StoredAnswer | null };

export interface StoredAnswer {
  readonly bodySha256: string;
  readonly body: string;
  readonly requestId: string;
}
