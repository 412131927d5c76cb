import type { AuthorizedKey } from '../keys/api-key-store.ts';
import type { DecisionRecord } from './decision-record.ts';
import type { QuotaOutcome, ScoringEntry, StoredAnswer } from './scoring-ledger.ts';

/**
 * The statements of the scoring path: the only ones with a version for each engine. An embedded engine answers
 * directly, a remote one with a promise.
 */
export interface ScoringStatements {
  /**
   * Writes the batch in one transaction, or throws and writes nothing. Quotas are counted exactly and in the order of the
   * batch, also while other processes write.
   */
  write(batch: readonly ScoringWrite[]): readonly QuotaOutcome[] | Promise<readonly QuotaOutcome[]>;
  /** What the account has used from one UTC day to another, both included (`2026-11-01`). */
  usedBetween(accountId: string, firstDay: string, lastDay: string): number | Promise<number>;
  findAnswer(
    accountId: string,
    idempotencyKey: string,
    since: number,
  ): StoredAnswer | null | Promise<StoredAnswer | null>;
  /** The key with that hash, neither revoked nor expired. One look-up whether there is a row or not. */
  findUsableKey(sha256: string, now: number): UsableKey | null | Promise<UsableKey | null>;
}

export interface ScoringWrite {
  readonly decision: DecisionRecord;
  /** Null: written, but not counted. */
  readonly quota: { readonly accountId: string; readonly limit: number | null } | null;
  readonly answer: ScoringEntry['answer'];
}

export interface UsableKey extends AuthorizedKey {
  readonly expiresAt: number | null;
  readonly lastUsedAt: number | null;
}
