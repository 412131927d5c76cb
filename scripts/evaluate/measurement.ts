import type { Attempt } from '../../src/assessment/attempt.ts';
import type { Judge } from '../../src/assessment/judge.ts';
import type { Factor, ReasonCode } from '../../src/assessment/reasons.ts';

export interface Target {
  readonly bound: 'at_least' | 'at_most';
  /** 0 to 1. */
  readonly share: number;
}

/** One row of the evaluation. */
export interface Measurement {
  readonly set: string;
  /** What counts as a hit: `email factor medium or high`. */
  readonly counted: string;
  readonly population: number;
  readonly hits: number;
  /** Null: a figure to look at, with nothing to reach. */
  readonly target: Target | null;
  /** The share of the population whose whole decision has this level when all other factors are clean. Null: not judged. */
  readonly whole: { readonly medium: number; readonly high: number } | null;
  /** Hits by reason code. */
  readonly reasons: Readonly<Record<string, number>>;
  /** What was left out of the population, and why. */
  readonly apart: readonly { readonly why: string; readonly count: number }[];
  /** Up to 20 items with a wrong result. */
  readonly wrong: readonly string[];
}

/** One item of a set: its text in the source, and the attempt that is judged. */
export interface Sample {
  readonly name: string;
  readonly attempt: Attempt;
  /** How often it counts: the addresses of a range. Left out: once. */
  readonly weight?: number;
}

export interface MeasureOptions {
  readonly set: string;
  readonly factor: Factor;
  readonly target: Target | null;
  /** Why a sample does not belong to the population, by its reason; null when it belongs to it. */
  readonly setApart?: (name: string, reason: ReasonCode) => string | null;
}

const MAX_WRONG = 20;

export function shareOf({ hits, population }: Pick<Measurement, 'hits' | 'population'>): number {
  return population === 0 ? 0 : hits / population;
}

/** Null without a target. An empty population never meets a target. */
export function isMet(measurement: Measurement): boolean | null {
  const { target, population } = measurement;
  if (!target) return null;
  if (population === 0) return false;
  const share = shareOf(measurement);
  return target.bound === 'at_least' ? share >= target.share : share <= target.share;
}

/** Judges the samples one after the other and counts those whose factor comes out medium or high. */
export async function measureFactor(
  judge: Judge,
  samples: Iterable<Sample>,
  options: MeasureOptions,
): Promise<Measurement> {
  const { set, factor, target, setApart } = options;
  let [population, hits, medium, high] = [0, 0, 0, 0];
  const reasons: Record<string, number> = {};
  const apart = new Map<string, number>();
  const wrong: string[] = [];
  for (const { name, attempt, weight = 1 } of samples) {
    const judgement = await judge.judge(attempt);
    const scored = judgement.factors.find((f) => f.factor === factor);
    if (!scored || scored.state === 'not_evaluated')
      throw new Error(`${factor} was not evaluated for ${name}.`);
    const why = setApart?.(name, scored.reason.code) ?? null;
    if (why !== null) {
      apart.set(why, (apart.get(why) ?? 0) + weight);
      continue;
    }
    const isHit = scored.riskLevel !== 'low';
    population += weight;
    if (isHit) {
      hits += weight;
      reasons[scored.reason.code] = (reasons[scored.reason.code] ?? 0) + weight;
    }
    if (judgement.riskLevel === 'medium') medium += weight;
    if (judgement.riskLevel === 'high') high += weight;
    const isWrong = target?.bound === 'at_most' ? isHit : !isHit;
    if (isWrong && wrong.length < MAX_WRONG) wrong.push(isHit ? `${name} (${scored.reason.code})` : name);
  }
  return {
    set,
    counted: `${factor} medium or high`,
    population,
    hits,
    target,
    whole: { medium: medium / Math.max(1, population), high: high / Math.max(1, population) },
    reasons,
    apart: [...apart].map(([why, count]) => ({ why, count })),
    wrong,
  };
}
