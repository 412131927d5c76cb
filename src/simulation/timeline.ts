import type { RiskLevel } from '../assessment/policy.ts';
import { type LevelCounts, noLevels } from './judgement-counts.ts';

/** Levels over time, in equal steps. */
export interface Timeline {
  /** Milliseconds since the epoch; a whole number of steps. */
  readonly from: number;
  readonly stepMs: number;
  readonly steps: readonly Readonly<LevelCounts>[];
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Steps that people can read in a chart; 10 years need weeks at most, longer times need longer steps. */
const STEPS_MS = [MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, DAY_MS, 7 * DAY_MS, 28 * DAY_MS];
/** A bar is at least ten pixels wide on a screen. */
const MAX_STEPS = 72;

/** For times from the first to the last, both included. */
export function createTimeline(first: number, last: number) {
  const fits = (step: number) => Math.floor(last / step) - Math.floor(first / step) < MAX_STEPS;
  const longest = STEPS_MS.at(-1) ?? DAY_MS;
  const stepMs = STEPS_MS.find(fits) ?? Math.ceil((last - first + 1) / longest / (MAX_STEPS - 1)) * longest;
  const start = Math.floor(first / stepMs);
  const steps = Array.from({ length: Math.floor(last / stepMs) - start + 1 }, noLevels);
  const timeline: Timeline = { from: start * stepMs, stepMs, steps };
  return {
    timeline,
    add(time: number, level: RiskLevel): void {
      const step = steps[Math.floor(time / stepMs) - start];
      if (step) step[level]++;
    },
  };
}
