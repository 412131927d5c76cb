/** Whole numbers from 0 up to, not including, `below`. */
export type Random = (below: number) => number;

/** Numbers that look random and are the same for the same seed (xorshift32). */
export function createRandom(seed: number): Random {
  let state = Math.imul(seed + 1, 0x9e3779b1) | 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

export function pick<T>(items: readonly T[], random: Random): T {
  const item = items[random(items.length)];
  if (item === undefined) throw new Error('a list to pick from is empty');
  return item;
}
