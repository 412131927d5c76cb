import type { Policy } from './policy.ts';
import {
  type Examinations,
  type ListVerdict,
  listScore,
  neverRefusedForShared,
  type Score,
  type Sum,
  sumUp,
  withoutShared,
} from './score.ts';

/** The score as a function of the threshold of medium risk. */
export type ScoreByMedium = (medium: number) => Pick<Score, 'trustScore' | 'ownScore'>;

/** This policy has no levels. So no factor is at high risk, and no cap for high risk applies. */
const NO_LEVELS: Policy['levels'] = { low: 0, medium: 0 };
const NO_CAP = 100;

/**
 * The score of `scoreFactors` as a function of the threshold of medium risk, which determines the factors at high risk
 * and therefore the caps. The threshold of low risk changes no score. The examinations are summed up once for all
 * thresholds.
 */
export function scoreByMedium(
  examinations: Examinations,
  lists: readonly ListVerdict[],
  policy: Policy,
): ScoreByMedium {
  const verdict = lists.find((list) => list.verdict === 'denied') ?? lists[0];
  if (verdict) {
    const score = { trustScore: listScore(verdict), ownScore: listScore(verdict) };
    return () => score;
  }
  const free = { ...policy, levels: NO_LEVELS };
  const ownExaminations = withoutShared(examinations, policy);
  const own = lowestOf(sumUp(ownExaminations, free));
  const all = ownExaminations === examinations ? own : lowestOf(sumUp(examinations, free));
  const { one_high_factor: one, two_high_factors: two } = policy.caps;
  return (medium) => {
    // A shared red flag does not count as the second one.
    const twoCap = own.second < medium ? two : NO_CAP;
    const ownScore = Math.min(own.held, own.first < medium ? one : NO_CAP, twoCap);
    const held = Math.min(all.held, all.first < medium ? one : NO_CAP, twoCap);
    return { trustScore: neverRefusedForShared(held, ownScore, { low: NO_CAP, medium }), ownScore };
  };
}

/** The two lowest scores of evaluated factors. A missing score is infinite. */
function lowestOf({ factors, held }: Sum) {
  const scores = factors.filter(({ state }) => state === 'evaluated').map(({ score }) => score);
  const [first = Number.POSITIVE_INFINITY, second = Number.POSITIVE_INFINITY] = scores.sort((a, b) => a - b);
  return { held, first, second };
}
