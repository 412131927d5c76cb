import {
  LETTERS,
  TRIGRAMS,
  trigramsOf,
  UNITS_PER_NAT,
} from '../../src/processors/email/random-local-part.ts';
import { fetchPackage, type PinnedPackage } from './fetch-package.ts';

/** Names, places and words of some sixty languages. */
export const WORD_PACKAGE: PinnedPackage & { readonly licence: string } = {
  name: '@faker-js/faker',
  version: '10.6.0',
  integrity:
    'sha512-3RQHgEtvL1Frl/d1cSreo7qhJ3Gk1OdNUai/CtZ8G+wYeRQnJih3s9xJ9/kgYekPQRdwgh0HXRPqMlzWGwivIQ==',
  licence: 'MIT',
};

/** Letters that carry no mark which Unicode could take off. */
const PLAIN: Readonly<Record<string, string>> = {
  ł: 'l',
  ø: 'o',
  ß: 'ss',
  ı: 'i',
  đ: 'd',
  æ: 'ae',
  œ: 'oe',
  ð: 'd',
  þ: 'th',
};

/** Weight of the next shorter sequence, in occurrences. */
const SMOOTHING = 5;

/** Every word that a locale of the package spells with letters that plain ASCII can stand for; sorted. */
export async function readWords(): Promise<readonly string[]> {
  const words = new Set<string>();
  for (const [path, text] of await fetchPackage(WORD_PACKAGE)) {
    if (!/^dist\/[a-z]{2}(_[A-Z]{2})?-\w+\.js$/.test(path)) continue;
    for (const [, quoted = ''] of text.matchAll(/["`']([^"`'\n]{2,60})["`']/g)) {
      const plain = quoted.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
      for (const word of plain
        .replace(/[łøßıđæœðþ]/g, (letter) => PLAIN[letter] ?? letter)
        .split(/[^\p{L}]+/u)) {
        if (/^[a-z]{3,15}$/.test(word)) words.add(word);
      }
    }
  }
  return [...words].sort();
}

/** Log probability of each letter after the two before it, smoothed by that after one and by that alone. */
export function trainLetters(words: readonly string[]): Int8Array {
  const threes = new Float64Array(TRIGRAMS);
  const twos = new Float64Array(LETTERS ** 2);
  const ones = new Float64Array(LETTERS);
  const afterTwo = new Float64Array(LETTERS ** 2);
  const afterOne = new Float64Array(LETTERS);
  let total = 0;
  for (const word of words) {
    for (const trigram of trigramsOf(word)) {
      const { before, last, letter } = partsOf(trigram);
      increment(threes, trigram);
      increment(afterTwo, before);
      increment(twos, last * LETTERS + letter);
      increment(afterOne, last);
      increment(ones, letter);
      total++;
    }
  }
  return Int8Array.from({ length: TRIGRAMS }, (_, trigram) => {
    const { before, last, letter } = partsOf(trigram);
    const alone = (at(ones, letter) + 1) / (total + LETTERS);
    const two = (at(twos, last * LETTERS + letter) + SMOOTHING * alone) / (at(afterOne, last) + SMOOTHING);
    const three = (at(threes, trigram) + SMOOTHING * two) / (at(afterTwo, before) + SMOOTHING);
    return Math.max(-127, Math.round(Math.log(three) * UNITS_PER_NAT));
  });
}

function partsOf(trigram: number): { before: number; last: number; letter: number } {
  const before = Math.floor(trigram / LETTERS);
  return { before, last: before % LETTERS, letter: trigram % LETTERS };
}

function at(counts: Float64Array, index: number): number {
  return counts[index] ?? 0;
}

function increment(counts: Float64Array, index: number): void {
  counts[index] = at(counts, index) + 1;
}
