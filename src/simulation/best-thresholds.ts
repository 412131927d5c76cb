import type { Policy } from '../assessment/policy.ts';
import { effectOf, type PolicyEffect } from './policy-effect.ts';
import { HIGHEST_SCORE, knownLevelsOf, levelsUnder, type ThresholdCounts } from './threshold-counts.ts';

export interface BestThresholds {
  readonly levels: Policy['levels'];
  readonly effect: PolicyEffect;
}

/**
 * The thresholds that stop most known frauds while at most this share of the known legitimate people is bothered, which
 * means refused or sent to verification. Tries every pair. Among pairs that stop equally many frauds, it prefers the
 * pair with the fewest people bothered, then the fewest people refused, then the most frauds refused, then the milder
 * thresholds. So the threshold of medium risk rises only when this does not refuse more people.
 *
 * @param share 0 to 1.
 * @returns null when every pair bothers more people than that.
 */
export async function findBestThresholds(
  counts: ThresholdCounts,
  share: number,
): Promise<BestThresholds | null> {
  let best: BestThresholds | null = null;
  for (let medium = 0; medium < HIGHEST_SCORE; medium++) {
    // Each row takes about a millisecond, and signups are judged between two of them.
    await new Promise((resolve) => setImmediate(resolve));
    for (let low = medium + 1; low <= HIGHEST_SCORE; low++) {
      const effect = effectOf(knownLevelsOf(levelsUnder(counts, { low, medium })));
      // This allows for rounding errors: 0.29 × 100 is less than 29 in binary fractions.
      if (effect.legitimate.affected > share * effect.legitimate.known + 1e-9) break;
      const found = { levels: { low, medium }, effect };
      if (best === null || isBetter(found, best)) best = found;
    }
  }
  return best;
}

function isBetter(one: BestThresholds, other: BestThresholds): boolean {
  const difference = rankOf(one)
    .map((value, i) => value - (rankOf(other)[i] ?? 0))
    .find((value) => value !== 0);
  return difference !== undefined && difference > 0;
}

/** The criteria in order of their weight. A higher value is better. */
function rankOf({ levels, effect: { fraud, legitimate } }: BestThresholds): readonly number[] {
  return [
    fraud.affected,
    -legitimate.affected,
    -legitimate.refused,
    fraud.refused,
    -levels.low,
    -levels.medium,
  ];
}
