import type { AuthorizedKey } from '../keys/api-key-store.ts';
import type { DecisionRecord } from './decision-record.ts';
import type { QuotaOutcome, ScoringEntry, StoredAnswer } from './scoring-ledger.ts';

/** The statements of the scoring path: the only ones that each engine writes by hand. */
export interface ScoringStatements {
  /**
   * Writes the batch in one transaction, or throws and writes nothing. Quotas are counted exactly and in the order of the
   * batch, also while other processes write.
   */
  write(batch: readonly ScoringWrite[]): Promise<readonly QuotaOutcome[]>;
  /** What the account has used from one UTC day to another, both included (`2026-11-01`). */
  usedBetween(accountId: string, firstDay: string, lastDay: string): Promise<number>;
  findAnswer(accountId: string, idempotencyKey: string, since: number): Promise<StoredAnswer | null>;
  /** The key with that hash, neither revoked nor expired. One look-up whether there is a row or not. */
  findUsableKey(sha256: string, now: number): Promise<UsableKey | null>;
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
