import type { AuthorizedKey } from '../keys/api-key-store.ts';
import type { QuotaOutcome, ScoringWrite, StoredAnswer } from './scoring-ledger.ts';

/** The statements of the scoring path: the only ones that each engine writes by hand. */
export interface ScoringStatements {
  /** The usage of the account from one UTC day to another, both included (`2026-11-01`). */
  usedBetween(accountId: string, firstDay: string, lastDay: string): Promise<number>;
  findAnswer(accountId: string, idempotencyKey: string, since: number): Promise<StoredAnswer | null>;
  /** The key with that hash, if it is not revoked and not expired. It takes one look-up, with or without a row. */
  findUsableKey(sha256: string, now: number): Promise<UsableKey | null>;
}

/**
 * Writes decisions in groups. Quotas are counted exactly and in the order of the entries, also while other processes
 * write.
 */
export interface ScoringQueue {
  /**
   * Durable once it resolves.
   *
   * @throws StorageError when it was not written.
   */
  add(entry: ScoringWrite): Promise<QuotaOutcome>;
  /** Entries without an outcome yet. */
  length(): number;
  /** Writes the queued entries and refuses new entries. */
  close(): Promise<void>;
}

/**
 * @param noted Called once the group of the entry is committed. `month`: the UTC month that it was counted in, by the clock
 *   of the database where it has one (`2026-11`).
 */
export type StartScoringQueue = (
  noted: (entry: ScoringWrite, used: number, month: string | null) => void,
) => ScoringQueue;

export interface UsableKey extends AuthorizedKey {
  readonly expiresAt: number | null;
  readonly lastUsedAt: number | null;
}
