import type { RiskLevel } from '../assessment/policy.ts';
import type { Label } from '../storage/storage.ts';
import { type LevelCounts, noLevels } from './judgement-counts.ts';

export const RISK_LEVELS = ['low', 'medium', 'high'] as const satisfies readonly RiskLevel[];

/** First the level before, then the level after: how many went from the one to the other. */
export type LevelMatrix = Readonly<Record<RiskLevel, LevelCounts>>;

/** What changes from one policy to another over the same attempts. */
export interface Comparison {
  readonly matrix: LevelMatrix;
  /** Only those of whom somebody knows what they were. */
  readonly labelled: Readonly<Record<Label, LevelMatrix>>;
}

export interface GrowingComparison {
  readonly comparison: Comparison;
  add(before: RiskLevel, after: RiskLevel, label: Label | null): void;
}

const noMoves = (): LevelMatrix => ({ low: noLevels(), medium: noLevels(), high: noLevels() });

export function createComparison(): GrowingComparison {
  const matrix = noMoves();
  const labelled = { legitimate: noMoves(), fraud: noMoves() };
  return {
    comparison: { matrix, labelled },
    add(before, after, label) {
      matrix[before][after]++;
      if (label) labelled[label][before][after]++;
    },
  };
}

/** How many are judged more and less strictly than before. */
export function movesOf(matrix: LevelMatrix): { readonly stricter: number; readonly milder: number } {
  const { low, medium, high } = matrix;
  return { stricter: low.medium + low.high + medium.high, milder: medium.low + high.low + high.medium };
}
