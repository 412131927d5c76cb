import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Whether a local part looks random or generated, not like a name or a word. */
export type RandomLocalPartTest = (localPart: string) => boolean;

const WEIGHTS_FILE = 'local-parts.bin';
/** Weights are in twelfths of a natural logarithm, so that one byte holds every value. */
export const UNITS_PER_NAT = 12;

/** Shorter runs of letters prove nothing: they may be initials or abbreviations. */
const MIN_WORD = 6;
/**
 * A text whose letters have a lower mean log probability is not a word. 0.3 % of the names and words in sixty languages
 * outside the training set are below this bound, and 84 % of texts of eight random letters.
 */
const MIN_MEAN_NATS = -4.3;
/** Names often end in a number. They rarely alternate between letters and digits, unless the letters are words. */
const MIN_CHANGES = 3;
const MIN_MIXED_LENGTH = 8;
const MIN_WORD_BETWEEN = 4;

/**
 * Reads the letter statistics that `npm run train` made from names and words.
 * @param folder `models/` of the package.
 * @throws {Error} when they are missing or damaged.
 */
export function loadRandomLocalPartTest(folder: string): RandomLocalPartTest {
  const bytes = readFileSync(join(folder, WEIGHTS_FILE));
  if (bytes.length !== TRIGRAMS) {
    const repair = 'Reinstall the package, or run `npm run train` in a checkout.';
    throw new Error(`${WEIGHTS_FILE} in ${folder} holds ${bytes.length} weights, not ${TRIGRAMS}. ${repair}`);
  }
  return createRandomLocalPartTest(new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length));
}

/** @param weights Log probability of each trigram's last letter after its first two, in twelfths. */
export function createRandomLocalPartTest(weights: Int8Array): RandomLocalPartTest {
  return (localPart) => {
    const name = localPart.toLowerCase();
    // There are no statistics for other scripts, so they are never rated as random.
    if (!/^[a-z0-9._-]+$/.test(name)) return false;
    const words = name.match(/[a-z]+/g) ?? [];
    const isWord = (word: string) => meanNats(word, weights) >= MIN_MEAN_NATS;
    if (name.length >= MIN_MIXED_LENGTH && changesIn(name) >= MIN_CHANGES) {
      return !words.some((word) => word.length >= MIN_WORD_BETWEEN && isWord(word));
    }
    return words.some((word) => word.length >= MIN_WORD && !isWord(word));
  };
}

/** Counts the changes from a letter to a digit and from a digit to a letter. */
function changesIn(name: string): number {
  return name.match(/(?<=[a-z])\d|(?<=\d)[a-z]/g)?.length ?? 0;
}

function meanNats(word: string, weights: Int8Array): number {
  let sum = 0;
  for (const trigram of trigramsOf(word)) sum += weights[trigram] ?? 0;
  return sum / UNITS_PER_NAT / word.length;
}

/** 0 to 25 for the letters a to z, and 26 for the edge of a word. */
export const LETTERS = 27;
const EDGE = 26;
/** One weight for each sequence of three letters or edges. */
export const TRIGRAMS = LETTERS ** 3;

/**
 * The trigrams of one word with marked edges: `al` is edge-a-l, a-l-edge. Training and product share this function.
 * @param word Lower-case ASCII letters only.
 */
export function trigramsOf(word: string): readonly number[] {
  const trigrams: number[] = [];
  let first = EDGE;
  let second = word.charCodeAt(0) - 97;
  for (let i = 1; i <= word.length; i++) {
    const third = i === word.length ? EDGE : word.charCodeAt(i) - 97;
    trigrams.push((first * LETTERS + second) * LETTERS + third);
    first = second;
    second = third;
  }
  return trigrams;
}
