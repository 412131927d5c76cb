import type { Counters } from '../../counters/counters.ts';
import type { CurrentDatasets } from '../../datasets/datasets.ts';
import { type ObservedAttempt, observationsOf } from './attempt-counts.ts';

/** A stored attempt, and whether it was refused. */
export interface PastAttempt extends ObservedAttempt {
  readonly isRefused: boolean;
}

export interface RebuildDependencies {
  /** The stored attempts of the last day. The oldest comes first, since the windows only move forward. */
  readonly recent: AsyncIterable<PastAttempt>;
  readonly counters: Pick<Counters, 'observe'>;
  /** Called with every attempt too. */
  readonly learn?: (attempt: PastAttempt) => void;
  readonly datasets: CurrentDatasets;
  /** Stops when the signal is aborted, and throws its reason. */
  readonly stop?: AbortSignal | undefined;
}

/**
 * Fills the windows from stored decisions, so a running campaign is still recognised after a restart. Must finish
 * before the first attempt is judged.
 * @returns how many attempts were counted.
 */
export async function rebuildVelocity({
  recent,
  counters,
  learn,
  datasets,
  stop,
}: RebuildDependencies): Promise<number> {
  let counted = 0;
  for await (const attempt of recent) {
    stop?.throwIfAborted();
    const observations = observationsOf(attempt, datasets.current.email);
    const kept = attempt.isRefused
      ? observations.filter(({ isProvisional }) => !isProvisional)
      : observations.map((observation) => ({ ...observation, isProvisional: false }));
    const counts = counters.observe(kept, attempt.processedAt);
    if (counts instanceof Promise) await counts;
    learn?.(attempt);
    counted++;
  }
  return counted;
}
