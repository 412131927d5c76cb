import type { Clock } from '../clock.ts';
import { LARGEST_BATCH } from '../storage/exports/export-store.ts';

/** A receiver with a small limit refuses a few messages in this time, and one that was repaired waits no longer. */
const SHORTENED_MS = 3_600_000;

/** The number of decisions that a receiver takes at a time. */
export interface BatchSize {
  /** For the next batch. */
  most(): number;
  /** The receiver refused so many as too large. Returns what it gets from now on. */
  halve(decisions: number): number;
}

/**
 * Begins with the largest batch, and returns to it an hour after the last refusal: the limit may have been that of a proxy
 * that is gone, and single decisions would never catch up.
 */
export function createBatchSize(clock: Clock): BatchSize {
  let most = LARGEST_BATCH;
  let refusedAt = 0;
  return {
    most() {
      if (clock() - refusedAt >= SHORTENED_MS) most = LARGEST_BATCH;
      return most;
    },
    halve(decisions) {
      most = Math.ceil(decisions / 2);
      refusedAt = clock();
      return most;
    },
  };
}
