import { randomInt } from 'node:crypto';
import { hashText, type TextHash } from '../../counters/hash-text.ts';

/** 512 KB. A text that shares its slot with a newer one is forgotten. */
const SLOTS = 131_072;
const TAG_BITS = 16;
const PERIODS = 2 ** (32 - TAG_BITS);

/**
 * Remembers texts that were marked in this period or the one before, in fixed memory: most senders come once, and an
 * entry of a map for each costs more time than all else that is done for them. One text in 65,536 is taken for another
 * that was marked.
 */
export interface SeenBefore {
  has(text: string, now: number): boolean;
  mark(text: string, now: number): void;
}

export function createSeenBefore(periodMs: number): SeenBefore {
  const slots = new Uint32Array(SLOTS);
  const seed: TextHash = { high: randomInt(2 ** 32), low: randomInt(2 ** 32) };
  const hash: TextHash = { high: 0, low: 0 };

  /** Never 0, which is an empty slot. */
  const periodOf = (now: number) => (Math.floor(now / periodMs) % (PERIODS - 1)) + 1;
  const tagged = (period: number) => ((period << TAG_BITS) | (hash.high & (2 ** TAG_BITS - 1))) >>> 0;

  return {
    has(text, now) {
      hashText(text, seed, hash);
      const slot = slots[hash.low % SLOTS];
      return slot === tagged(periodOf(now)) || slot === tagged(periodOf(now - periodMs));
    },
    mark(text, now) {
      hashText(text, seed, hash);
      slots[hash.low % SLOTS] = tagged(periodOf(now));
    },
  };
}
