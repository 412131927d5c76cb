import { intervalOf, Z_999 } from '../../assessment/share-interval.ts';

/** The signups of a time span, and the number of them with the trait: refused, or degraded. */
export interface Cases {
  readonly part: number;
  readonly whole: number;
}

/** With fewer signups, the usual share is not known. */
const KNOWN_FROM = 200;
/** An hour with fewer signups does not count for the usual share. */
const TELLING_HOUR = 20;
const USUAL_HOURS = 0.95;

/**
 * Whether the share of a trait is far above the usual one. All of this must be true:
 *
 * - there are at least so many cases (`least`): a small site has too few to tell a jump from chance,
 * - the hours before have 200 signups,
 * - the lower end of the 99.9 % interval is above twice the usual share (where a third or more are usual: halfway from the
 *   usual share to all), and above `floor`,
 * - it is also above 95 of 100 hours before: nights in which most signups are refused are usual.
 */
export function isJump(
  now: Cases,
  hours: readonly Cases[],
  { least, floor }: { readonly least: number; readonly floor: number },
): boolean {
  if (now.part < least) return false;
  const before = sumOf(hours);
  if (before.whole < KNOWN_FROM) return false;
  const usual = before.part / before.whole;
  const far = Math.min(2 * usual, (1 + usual) / 2);
  const { low } = intervalOf(now.part, now.whole, Z_999);
  return low > Math.max(floor, far, highOf(hours));
}

export function sumOf(hours: readonly Cases[]): Cases {
  return hours.reduce((all, { part, whole }) => ({ part: all.part + part, whole: all.whole + whole }), {
    part: 0,
    whole: 0,
  });
}

/** The share that 95 of 100 hours with enough signups do not exceed; 0 without such hours. */
function highOf(hours: readonly Cases[]): number {
  const shares = hours
    .filter(({ whole }) => whole >= TELLING_HOUR)
    .map(({ part, whole }) => part / whole)
    .sort((a, b) => a - b);
  return shares[Math.ceil(shares.length * USUAL_HOURS) - 1] ?? 0;
}
