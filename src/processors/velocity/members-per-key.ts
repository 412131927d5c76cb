import type { VelocityLimits } from './velocity-limits.ts';

/** Limits are widened at most fivefold, and decisive at three times 1.4. */
const WIDEST_MULTIPLE = 5;
const FEWEST = 256;
/** Counting a key takes 8 ns a member; at this bound, 65 µs. */
const MOST = 8_192;

/**
 * How many members the counters must distinguish under one key for these limits. A limit above 1,638 can no longer be
 * widened, and a limit above 8,192 is never reached.
 */
export function membersPerKeyFor({ cohort: _, ...limits }: VelocityLimits): number {
  const largest = Math.max(0, ...Object.values(limits).flatMap((windows) => Object.values(windows)));
  return Math.min(MOST, Math.max(FEWEST, largest * WIDEST_MULTIPLE + 1));
}
