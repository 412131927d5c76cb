import { randomInt } from 'node:crypto';
import { hashText, type TextHash } from '../../counters/hash-text.ts';

/** 512 KB. A newer text in the same slot replaces an older one. */
const SLOTS = 131_072;
const TAG_BITS = 16;
const PERIODS = 2 ** (32 - TAG_BITS);

/**
 * Remembers texts that were marked in this period or the one before, in fixed memory. Most senders come once, and a map
 * entry for each would cost more time than all other work for them. One text in 65,536 is wrongly taken as marked.
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
