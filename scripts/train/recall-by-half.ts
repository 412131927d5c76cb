import type { BurnerNameModel } from '../../src/processors/email/burner-name-model.ts';
import { type Half, halfOf } from '../evaluate/reliability.ts';
import { percent, scoresOf, thresholdFor } from './name-thresholds.ts';

/** Names that training has not seen. */
export interface UnseenNames {
  /** Throwaway names that current curated lists have and no wide list has. */
  readonly burners: readonly string[];
  /** Clean names whose scores set the threshold. */
  readonly sites: Readonly<Record<string, readonly string[]>>;
  /** Clean names that are counted at that threshold. */
  readonly others: Readonly<Record<string, readonly string[]>>;
}

export type RecallRow = Readonly<Record<string, string | number>>;

const ALLOWED_SHARES = [0.003, 0.01] as const;
const HALVES: readonly Half[] = ['development', 'held aside'];

/**
 * The share of throwaway names that is found where 0.3 % and 1 % of the sites are wrong, for the half that may be tuned
 * on and for the half that is held aside, with the share of other clean names that is wrong at the same threshold.
 */
export function recallByHalf(
  { burners, sites, others }: UnseenNames,
  model: Pick<BurnerNameModel, 'score'>,
): readonly RecallRow[] {
  return HALVES.flatMap((half) => {
    const scoresIn = (names: readonly string[]) =>
      scoresOf(
        names.filter((name) => halfOf(name) === half),
        model,
      );
    const found = scoresIn(burners);
    const wrong = Object.entries(others).map(([name, names]) => [name, scoresIn(names)] as const);
    return Object.entries(sites).flatMap(([name, names]) => {
      const scores = scoresIn(names);
      return ALLOWED_SHARES.map((share) => {
        const threshold = thresholdFor(scores, share);
        const shareOver = (all: readonly number[]) =>
          percent(all.filter((score) => score >= threshold).length, all.length);
        return {
          half,
          wrong: `${100 * share} % of ${scores.length} ${name}`,
          burners: found.length,
          'found %': shareOver(found),
          ...Object.fromEntries(wrong.map(([other, all]) => [`${other} %`, shareOver(all)])),
        };
      });
    });
  });
}
