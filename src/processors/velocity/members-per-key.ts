import type { VelocityLimits } from './velocity-limits.ts';

/** For what the network is, limits are widened fivefold; those of an office are decisive at three times 1.75. */
const WIDEST_MULTIPLE = 5.25;
const FEWEST = 256;
/** Counting a key takes 8 ns a member; at this bound, 65 µs. */
const MOST = 8_192;

/**
 * How many members the counters must distinguish under one key for these limits. With the defaults, a limit above 312 cannot
 * grow fully, and a limit above 8,192 is never reached.
 */
export function membersPerKeyFor({ cohort: _, verified, ...limits }: VelocityLimits): number {
  const largest = Math.max(0, ...Object.values(limits).flatMap((windows) => Object.values(windows)));
  const widest = WIDEST_MULTIPLE * (verified.step === null ? 1 : verified.times_at_most);
  return Math.min(MOST, Math.max(FEWEST, Math.ceil(largest * widest) + 1));
}
