import type { RiskLevel } from '../assessment/policy.ts';
import type { ReasonCode } from '../assessment/reasons.ts';
import type { Score } from '../assessment/score.ts';
import type { Label } from '../storage/decisions/decision-record.ts';

/** The number of signups at each level. */
export type LevelCounts = Record<RiskLevel, number>;

/** The levels of past signups whose outcome is known. */
export type KnownLevels = Readonly<Record<Label, Readonly<LevelCounts>>>;

/** The result of one policy for a history. */
export interface JudgementCounts {
  readonly levels: Readonly<LevelCounts>;
  /** How often each code was the reason of a factor. Each signup has four such reasons, as in an answer of the API. */
  readonly reasons: ReadonlyMap<ReasonCode, number>;
  /** The same counts for factors that are not at low risk, by the level of the whole signup. */
  readonly doubts: ReadonlyMap<ReasonCode, Readonly<LevelCounts>>;
  /** The levels of the signups with a known outcome. */
  readonly known: KnownLevels;
}

export const noLevels = (): LevelCounts => ({ low: 0, medium: 0, high: 0 });

export function createJudgementCounts() {
  const levels = noLevels();
  const reasons = new Map<ReasonCode, number>();
  const doubts = new Map<ReasonCode, LevelCounts>();
  const known = { legitimate: noLevels(), fraud: noLevels() };
  const counts: JudgementCounts = { levels, reasons, doubts, known };
  return {
    counts,
    add({ riskLevel, factors }: Pick<Score, 'riskLevel' | 'factors'>, outcome: Label | null): void {
      levels[riskLevel]++;
      if (outcome) known[outcome][riskLevel]++;
      for (const { reason, riskLevel: factorLevel } of factors) {
        reasons.set(reason.code, (reasons.get(reason.code) ?? 0) + 1);
        if (factorLevel === 'low') continue;
        const byLevel = doubts.get(reason.code) ?? noLevels();
        byLevel[riskLevel]++;
        doubts.set(reason.code, byLevel);
      }
    },
  };
}

export function sumOf({ low, medium, high }: Readonly<LevelCounts>): number {
  return low + medium + high;
}
