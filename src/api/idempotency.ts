import { ProblemError } from '../http/problem.ts';
import type { ScoringLedger, StoredAnswer } from '../storage/decisions/scoring-ledger.ts';
import { fromRecords } from './from-records.ts';

export const MAX_IDEMPOTENCY_KEY_CHARACTERS = 255;

/** Above any realistic number of requests in flight; each costs a few hundred bytes. */
const MAX_IN_FLIGHT = 10_000;

export interface IdempotentRequest {
  readonly accountId: string;
  readonly key: string;
  readonly bodySha256: string;
  readonly now: number;
}

/** The two ways to answer an idempotent request when its turn comes. */
export interface IdempotentWork<T> {
  /** No answer is stored yet. */
  execute(): Promise<T>;
  /** An answer is stored. */
  replay(answer: StoredAnswer): Promise<T>;
}

export interface Idempotency {
  /**
   * Runs the first of several requests with the same key. The others wait and get the stored answer. When the first
   * fails, the next one runs.
   * @throws {ProblemError} `idempotency_key_reused` when the stored answer belongs to another body.
   */
  once<T>(request: IdempotentRequest, work: IdempotentWork<T>): Promise<T>;
}

export function createIdempotency(ledger: Pick<ScoringLedger, 'findAnswer'>): Idempotency {
  const inFlight = new Map<string, Promise<void>>();

  return {
    async once({ accountId, key, bodySha256, now }, work) {
      const id = `${accountId} ${key}`;
      for (let first = inFlight.get(id); first; first = inFlight.get(id)) await first;
      if (inFlight.size >= MAX_IN_FLIGHT) {
        throw new ProblemError('overloaded', 'Too many idempotent requests are in flight; ask again.', {
          retryAfterSeconds: 1,
        });
      }
      let release = () => {};
      inFlight.set(
        id,
        new Promise((resolve) => {
          release = resolve;
        }),
      );
      try {
        const stored = await fromRecords(() => ledger.findAnswer(accountId, key, now));
        if (!stored) return await work.execute();
        checkSameBody(stored, bodySha256);
        return await work.replay(stored);
      } finally {
        inFlight.delete(id);
        release();
      }
    },
  };
}

export function checkSameBody(stored: StoredAnswer, bodySha256: string): void {
  if (stored.bodySha256 !== bodySha256) {
    throw new ProblemError('idempotency_key_reused', 'This Idempotency-Key was used with another body.');
  }
}
