import type { AuthorizedKey } from '../keys/api-key-store.ts';
import type { QuotaOutcome, ScoringWrite, StoredAnswer } from './scoring-ledger.ts';

/** The statements of the scoring path: the only ones that each engine writes by hand. */
export interface ScoringStatements {
  /** What the account has used from one UTC day to another, both included (`2026-11-01`). */
  usedBetween(accountId: string, firstDay: string, lastDay: string): Promise<number>;
  findAnswer(accountId: string, idempotencyKey: string, since: number): Promise<StoredAnswer | null>;
  /** The key with that hash, neither revoked nor expired. One look-up whether there is a row or not. */
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
  /** Writes what is queued and refuses new entries. */
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
