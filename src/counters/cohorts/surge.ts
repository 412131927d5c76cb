/** The limits above which a cohort is a surge, from the configuration. */
export interface SurgeSettings {
  /** The lowest number of signups in a surge. */
  readonly signups: number;
  /** The lowest ratio of the signups to their usual number. */
  readonly timesUsual: number;
}

/** One style in one group, in one window of signups. */
export interface CohortCount {
  /** The number of signups in the window: of the style in the group, and of the whole group. */
  readonly count: number;
  readonly ofGroup: number;
  /** The largest usual share of the style in the group that the past of the style allows. */
  readonly share: number;
  /** The number of signups of the style in the group that the usual rate explains in the time of the window. */
  readonly expected: number;
}

/**
 * The limit of chance. It was chosen together with the shares below on simulated sites (`npm run evaluate`), because
 * people come in crowds.
 */
const MIN_VOLUME_NATS = 16;
const MIN_STRENGTH = 14;
/** The increase that a common style needs to be a surge: a quarter of the group. */
const EXCESS = 0.25;
const MIN_EXCESS_STRENGTH = 25;
const TIMES_CONCENTRATED = 3;

/**
 * Whether so many signups of one style are a surge. Two things must hold at once. Volume: there are more than the usual
 * rate of the site explains (Chernoff bound of the Poisson tail). Concentration: the style crowds out the others of its
 * group (Kullback-Leibler bound of the binomial tail). A crowd of people causes volume but no concentration, because it has all styles.
 * @returns how surprising the concentration is, in nats; 0 when it is not a surge.
 */
export function surgeStrength(
  { count, ofGroup, share, expected }: CohortCount,
  { signups, timesUsual }: SurgeSettings,
): number {
  if (count < signups || count < timesUsual * expected) return 0;
  const found = count / ofGroup;
  const isConcentrated = found >= TIMES_CONCENTRATED * share;
  if (!isConcentrated && found - share < EXCESS) return 0;
  if (poissonNats(count, expected) < MIN_VOLUME_NATS) return 0;
  const strength = ofGroup * binomialNats(Math.min(found, 0.999), share);
  return strength >= (isConcentrated ? MIN_STRENGTH : MIN_EXCESS_STRENGTH) ? strength : 0;
}

function poissonNats(count: number, expected: number): number {
  return count <= expected ? 0 : count * Math.log(count / expected) - count + expected;
}

function binomialNats(found: number, share: number): number {
  if (found <= share) return 0;
  return found * Math.log(found / share) + (1 - found) * Math.log((1 - found) / (1 - share));
}
