import type { Cohorts } from '../../counters/cohorts/cohort.ts';
import type { CurrentDatasets } from '../../datasets/datasets.ts';
import { cohortSightingOf } from './attempt-counts.ts';
import type { PastAttempt } from './rebuild-velocity.ts';
import type { VelocityLimits } from './velocity-limits.ts';

export interface CohortMemory {
  readonly cohorts: Pick<Cohorts, 'observe'>;
  readonly datasets: CurrentDatasets;
  readonly limits: VelocityLimits;
}

/** Counts a stored attempt. Refused attempts add nothing to a style. */
export type LearnCohort = (attempt: PastAttempt, weight?: number) => void;

export function createCohortLearner({ cohorts, datasets, limits }: CohortMemory): LearnCohort {
  const { signups, times_usual: timesUsual } = limits.cohort;
  return (attempt, weight = 1) => {
    if (signups === null || attempt.isRefused) return;
    const sighting = cohortSightingOf(attempt, datasets.current.email);
    if (sighting) cohorts.observe(sighting, attempt.processedAt, { signups, timesUsual, weight });
  };
}

export interface CohortRebuild {
  /** The stored attempts since that time, oldest first. */
  readonly recent: (since: number) => AsyncIterable<PastAttempt>;
  readonly learn: LearnCohort;
  /** Milliseconds since the epoch. */
  readonly until: number;
  /** Stops when the signal is aborted, and throws its reason. */
  readonly stop?: AbortSignal | undefined;
}

const SLICE_MS = 8 * 3_600_000;
/** The length of the past that counts: two half-lives. */
const SLICES = 24;
/** In total, 24,000 attempts are read. This takes half a second of a start. */
const MOST_PER_SLICE = 1_000;

/**
 * Learns the usual styles of eight days from stored decisions. Large sites are sampled: the first attempts of each time
 * slice represent the whole slice.
 */
export async function rebuildCohorts({ recent, learn, until, stop }: CohortRebuild): Promise<void> {
  for (let slice = SLICES; slice > 0; slice--) {
    const start = until - slice * SLICE_MS;
    const attempts: PastAttempt[] = [];
    for await (const attempt of recent(start)) {
      stop?.throwIfAborted();
      if (attempt.processedAt >= start + SLICE_MS || attempts.length === MOST_PER_SLICE) break;
      attempts.push(attempt);
    }
    const coveredMs = Math.max(1, (attempts.at(-1)?.processedAt ?? start) - start);
    const weight = attempts.length < MOST_PER_SLICE ? 1 : SLICE_MS / coveredMs;
    for (const attempt of attempts) learn(attempt, weight);
  }
}
