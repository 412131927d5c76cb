import type { RiskLevel } from '../assessment/policy.ts';
import type { Label } from '../storage/decisions/decision-record.ts';
import { type LevelCounts, noLevels } from './judgement-counts.ts';

export const RISK_LEVELS = ['low', 'medium', 'high'] as const satisfies readonly RiskLevel[];

/** The number of attempts that moved, by the level before and then by the level after. */
export type LevelMatrix = Readonly<Record<RiskLevel, LevelCounts>>;

/** What changes from one policy to another over the same attempts. */
export interface Comparison {
  readonly matrix: LevelMatrix;
  /** Only the attempts with a known outcome. */
  readonly known: Readonly<Record<Label, LevelMatrix>>;
}

const noMoves = (): LevelMatrix => ({ low: noLevels(), medium: noLevels(), high: noLevels() });

export function createComparison() {
  const matrix = noMoves();
  const known = { legitimate: noMoves(), fraud: noMoves() };
  const comparison: Comparison = { matrix, known };
  return {
    comparison,
    add(before: RiskLevel, after: RiskLevel, outcome: Label | null): void {
      matrix[before][after]++;
      if (outcome) known[outcome][before][after]++;
    },
  };
}

/** The numbers of attempts that are judged more strictly and less strictly than before. */
export function movesOf(matrix: LevelMatrix): { readonly stricter: number; readonly milder: number } {
  const { low, medium, high } = matrix;
  return { stricter: low.medium + low.high + medium.high, milder: medium.low + high.low + high.medium };
}

/** Keeps the first few examples of each move between levels. */
export function createExamples<Example>(perMove: number) {
  const examples = new Map<string, Example[]>();
  return {
    add(before: RiskLevel, after: RiskLevel, make: () => Example): void {
      const move = `${before} ${after}`;
      const alike = examples.get(move) ?? [];
      examples.set(move, alike);
      if (alike.length < perMove) alike.push(make());
    },
    all: () => [...examples.values()].flat(),
  };
}
