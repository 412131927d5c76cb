import type { DecisionRecord } from './decision-record.ts';

/**
 * What one counted scoring writes: the quota's use, the decision and the idempotent answer, all or none. Calls of one
 * turn of the event loop share a transaction.
 */
export interface ScoringLedger {
  /**
   * Whether the account may still be within its quota; false spares the scoring. False is final for the month, since
   * usage never shrinks. True may be a moment out of date: `commit` decides.
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
  /** Counted: `used` includes this one. `repeatOf`: the request id of the earlier decision that this one repeats. */
  | { readonly granted: true; readonly used: number; readonly repeatOf?: string }
  /**
   * Nothing was written: the quota is used up, or `answered` is what a request of another process stored under the same
   * idempotency key meanwhile. (Requests of this process with the same key wait for each other.)
   */
  | { readonly granted: false; readonly used: number; readonly answered: StoredAnswer | null };

export interface StoredAnswer {
  readonly bodySha256: string;
  readonly body: string;
  readonly requestId: string;
}
