import type { RiskLevel } from '../assessment/policy.ts';
import { type LevelCounts, noLevels } from './judgement-counts.ts';

/** The levels over time, in equal steps. */
export interface Timeline {
  /** The start in milliseconds since the epoch; a multiple of the step. */
  readonly from: number;
  readonly stepMs: number;
  readonly steps: readonly Readonly<LevelCounts>[];
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/**
 * The steps that people can read in a chart. The longest step is enough for 10 years; a longer time needs longer steps.
 */
const STEPS_MS = [MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, DAY_MS, 7 * DAY_MS, 28 * DAY_MS];
/** A bar is at least ten pixels wide on a screen. */
const MAX_STEPS = 72;

/** Creates a timeline from the first time to the last time, both included. */
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
