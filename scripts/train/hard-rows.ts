import type { TrainingTable } from './boosted-trees.ts';

/** The share of the negative rows that counts as hard: those with the highest scores. */
const HARD_SHARE = 0.03;
/** How many times a negative row far above that limit counts. */
const MAX_FACTOR = 5;
/** How fast the factor grows with the score. */
const STEEPNESS = 2;

/**
 * Weights with which trees learn to divide the top: negative rows with the highest scores count more. At a threshold that
 * one clean name in a hundred reaches, only these rows decide, and they are few beside the others.
 */
export function weighHardRows({ isPositive, weights }: TrainingTable, scores: Float64Array): Float64Array {
  const negative = scores.filter((_, row) => isPositive[row] === 0).sort();
  const limit = negative[Math.floor(negative.length * (1 - HARD_SHARE))] ?? Number.POSITIVE_INFINITY;
  return weights.map((weight, row) => {
    if (isPositive[row] === 1) return weight;
    return weight * (1 + (MAX_FACTOR - 1) / (1 + Math.exp(-STEEPNESS * ((scores[row] ?? 0) - limit))));
  });
}
