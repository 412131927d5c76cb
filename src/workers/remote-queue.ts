import type { ScoringWrite } from '../storage/decisions/scoring-ledger.ts';
import type { StartScoringQueue } from '../storage/decisions/scoring-statements.ts';
import { createWriteQueue } from '../storage/engine/write-queue.ts';
import type { WriteOutcome } from './calls.ts';
import { reviveError } from './sent-error.ts';

/** Each group is sent once, since the process that writes tries again itself. */
const ATTEMPTS = 1;

/**
 * A queue of decisions that another process writes. Its groups have the same limits as in a process that writes itself.
 * While one group is written, the next group collects.
 */
export function createRemoteQueue(
  send: (group: readonly ScoringWrite[]) => Promise<readonly WriteOutcome[]>,
): StartScoringQueue {
  return (noted) => {
    const queue = createWriteQueue<ScoringWrite, WriteOutcome>(send, ATTEMPTS);
    return {
      async add(entry) {
        const written = await queue.add(entry);
        if ('error' in written) throw reviveError(written.error);
        noted(entry, written.outcome.used, null);
        return written.outcome;
      },
      length: queue.length,
      close: queue.close,
    };
  };
}
