import { MOST_COUNTED } from '../../config/scoring-schema.ts';
import type { VelocityLimits } from './velocity-limits.ts';

/**
 * Some networks have limits that are five times wider. The limit of an office is 1.75 times wider, and a burst is
 * decisive at three times that limit.
 */
const WIDEST_MULTIPLE = 5.25;
const FEWEST = 256;

/**
 * How many members the counters must distinguish under one key for these limits. With the defaults, a limit above 312 cannot
 * grow fully, and a limit above 8,192 is never reached.
 */
export function membersPerKeyFor({ cohort: _, verified, ...limits }: VelocityLimits): number {
  const largest = Math.max(0, ...Object.values(limits).flatMap((windows) => Object.values(windows)));
  const widest = WIDEST_MULTIPLE * (verified.step === null ? 1 : verified.times_at_most);
  return Math.min(MOST_COUNTED, Math.max(FEWEST, Math.ceil(largest * widest) + 1));
}
