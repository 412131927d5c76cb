import { createRandom as createNumbers, pick } from '../random.ts';

/** Numbers that look random and are the same for the same seed. */
export interface Random {
  /** From 0 up to, not including, `below`. */
  below(below: number): number;
  pick<T>(items: readonly [T, ...T[]] | readonly T[]): T;
  /** True with this chance, 0 to 1. */
  chance(share: number): boolean;
}

const RANGE = 2 ** 32;

export function createRandom(seed: number): Random {
  const random = createNumbers(seed);
  return {
    below: random,
    pick: (items) => pick(items, random),
    chance: (share) => random(RANGE) / RANGE < share,
  };
}
