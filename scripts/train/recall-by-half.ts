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

/** How many throwaway names of one half are found at a threshold that a share of its clean names reaches. */
export interface Recall {
  readonly half: Half;
  /** The clean names that set the threshold. */
  readonly world: string;
  /** Of them that reach it, 0 to 1. */
  readonly share: number;
  readonly sites: number;
  readonly found: number;
  readonly names: number;
  /** Of other clean names the share that reaches the threshold, in percent. */
  readonly others: Readonly<Record<string, number>>;
}

const ALLOWED_SHARES = [0.003, 0.01] as const;
const HALVES: readonly Half[] = ['development', 'held aside'];

/**
 * The share of throwaway names that is found where 0.3 % and 1 % of the sites are wrong, for the half that may be tuned
 * on and for the half that is held aside, with the share of other clean names that is wrong at the same threshold.
 */
export function recallByHalf(unseen: UnseenNames, model: Pick<BurnerNameModel, 'score'>): readonly Recall[] {
  const { sites, others } = unseen;
  return HALVES.flatMap((half) => {
    const scoresIn = (names: readonly string[]) =>
      scoresOf(
        names.filter((name) => halfOf(name) === half),
        model,
      );
    const burners = scoresIn(unseen.burners);
    const clean = Object.entries(others).map(([name, names]) => [name, scoresIn(names)] as const);
    return Object.entries(sites).flatMap(([world, names]) => {
      const scores = scoresIn(names);
      return ALLOWED_SHARES.map((share) => {
        const threshold = thresholdFor(scores, share);
        const countOver = (all: readonly number[]) => all.filter((score) => score >= threshold).length;
        return {
          half,
          world,
          share,
          sites: scores.length,
          found: countOver(burners),
          names: burners.length,
          others: Object.fromEntries(clean.map(([name, all]) => [name, percent(countOver(all), all.length)])),
        };
      });
    });
  });
}

/** A row of the printed table: shares in percent. */
export function toTableRow({ half, world, share, sites, found, names, others }: Recall) {
  return {
    half,
    wrong: `${100 * share} % of ${sites} ${world}`,
    burners: names,
    'found %': percent(found, names),
    ...Object.fromEntries(Object.entries(others).map(([name, wrong]) => [`${name} %`, wrong])),
  };
}
