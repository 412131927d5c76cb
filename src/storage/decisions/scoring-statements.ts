import type { AuthorizedKey } from '../keys/api-key-store.ts';
import type { DecisionRecord } from './decision-record.ts';
import type { QuotaOutcome, ScoringEntry, StoredAnswer } from './scoring-ledger.ts';

/**
 * What every scored request asks of the engine, and the only statements written for each engine by hand. An embedded
 * engine answers at once, one behind a socket with a promise.
 */
export interface ScoringStatements {
  /**
   * Writes all in one transaction or throws with nothing written. Places in a quota are taken in the order of the
   * batch, exactly, whatever other processes write.
   */
  write(batch: readonly ScoringWrite[]): readonly QuotaOutcome[] | Promise<readonly QuotaOutcome[]>;
  /** What the account has used from one UTC day to another, both included (`2026-11-01`). */
  usedBetween(accountId: string, firstDay: string, lastDay: string): number | Promise<number>;
  findAnswer(
    accountId: string,
    idempotencyKey: string,
    since: number,
  ): StoredAnswer | null | Promise<StoredAnswer | null>;
  /** The key of that hash that is neither revoked nor expired: one look-up, with or without a row. */
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
