/** Numbers that look random and are the same for the same seed (xorshift32). */
export interface Random {
  /** From 0 up to, not including, `below`. */
  below(below: number): number;
  pick<T>(items: readonly [T, ...T[]] | readonly T[]): T;
  /** True with this chance, 0 to 1. */
  chance(share: number): boolean;
}

export function createRandom(seed: number): Random {
  let state = Math.imul(seed + 1, 0x9e3779b1) | 1;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
  return {
    below: (below) => next() % below,
    pick(items) {
      const item = items[next() % items.length];
      if (item === undefined) throw new Error('Nothing to pick from.');
      return item;
    },
    chance: (share) => next() / 2 ** 32 < share,
  };
}
