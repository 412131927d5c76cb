import type { Attempt } from '../../src/assessment/attempt.ts';
import type { MemoryCounters } from '../../src/counters/memory-counters.ts';
import type { EmailDatasets } from '../../src/datasets/datasets.ts';
import { verifiedSignupOf } from '../../src/processors/velocity/verified-signup.ts';

/** People who must verify, and do so when they have read the mail. */
export interface SimulatedVerification {
  /** The sender verified at once, on a day before. */
  verify(attempt: Attempt): void;
  /** The sender verifies some time after the signup. */
  verifyLater(attempt: Attempt): void;
  /** Those whose sender has verified by then. */
  advance(now: number): void;
}

const VERIFIED_AFTER_MS = 120_000;

export function createSimulatedVerification(
  { verified }: MemoryCounters,
  email: EmailDatasets,
): SimulatedVerification {
  const waiting: Attempt[] = [];

  function verify({ receivedAt: processedAt, scope, identity }: Attempt): void {
    const conclusion = { concludedAt: processedAt, outcome: 'verified', label: null, codes: [] };
    const signup = verifiedSignupOf({ processedAt, scope, identity, ...conclusion }, email);
    if (signup) verified.learn(signup);
  }

  return {
    verify,
    verifyLater: (attempt) => waiting.push(attempt),
    advance(now) {
      const due = waiting.findIndex(({ receivedAt }) => receivedAt + VERIFIED_AFTER_MS > now);
      for (const attempt of waiting.splice(0, due === -1 ? waiting.length : due)) verify(attempt);
    },
  };
}
