import { xorshift32 } from '../random.ts';

/** Numbers from 0 up to, not including, 1: the same for the same seed, which is not 0. */
export function createRandom(seed: number): () => number {
  const next = xorshift32(seed);
  return () => next() / 2 ** 32;
}
