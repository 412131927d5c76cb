/** Whole numbers from 0 up to, not including, `below`. */
export type Random = (below: number) => number;

/** Numbers that look random and are the same for the same seed; 0 is a seed too. */
export function createRandom(seed: number): Random {
  const next = xorshift32(Math.imul(seed + 1, 0x9e3779b1) | 1);
  return (below) => next() % below;
}

/** @throws Error when there is nothing to pick from. */
export function pick<T>(items: readonly T[], random: Random): T {
  const item = items[random(items.length)];
  if (item === undefined) throw new Error('a list to pick from is empty');
  return item;
}

/** Marsaglia's generator: whole numbers below 2 to the power of 32. The state is a whole number other than 0. */
export function xorshift32(state: number): () => number {
  let last = state;
  return () => {
    last ^= last << 13;
    last ^= last >>> 17;
    last ^= last << 5;
    return last >>> 0;
  };
}
