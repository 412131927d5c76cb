import { COMMON_NAMES } from './common-names.generated.ts';

/** Digits that ordinary people add to their name when it is taken: an age, a short number, a year of birth. */
const ORDINARY_NUMBER = /^(\d{1,3}|19[3-9]\d|20[0-2]\d)$/;
const LONG_NUMBER = /^(?!19[3-9]\d$|20[0-2]\d$)\d{4,}$/;

/**
 * The pattern a local part is spelled after, for counting how many mailboxes share it. Pure.
 *
 * Three kinds are told apart, each rare among people who do not know one another:
 * - a fixed text with a number: `user17` and `user1002` are `user#`;
 * - several words with a long number that is no year, whatever the words: `anna.k.8831` and `bert.m.1207` are
 *   `~w.l.#4`, since lists of names with random digits are how accounts are made in bulk;
 * - letters and digits mixed, by length and alphabet: `x7k2p9q4` is `~alnum:8`.
 *
 * @returns null where the shape says nothing: no number, a number alone (as QQ and carriers hand out), or a common
 * name with a short number or a year.
 */
export function localPartTemplate(localPart: string): string | null {
  const text = isAscii(localPart) ? localPart.toLowerCase() : folded(localPart);
  if (!/[0-9]/.test(text) || !/\p{L}/u.test(text)) return null;
  return mixedTemplate(text) ?? wordsTemplate(text) ?? literalTemplate(text);
}

/** One run of letters and digits without a separator, in which they change places like in no word with a number. */
function mixedTemplate(text: string): string | null {
  if (text.length < 6 || !/^[a-z0-9]+$/.test(text)) return null;
  const alphabet = /^[0-9a-f]+$/.test(text) ? 'hex' : 'alnum';
  const digitRuns = text.match(/\d+/g)?.length ?? 0;
  const longestWord = Math.max(...(text.match(/[a-z]+/g) ?? []).map((word) => word.length));
  const isMixed =
    digitRuns >= 3 ||
    (digitRuns === 2 && alphabet === 'hex') ||
    (longestWord <= 3 && /[a-z]\d+[a-z]|^\d+[a-z]+\d/.test(text));
  return isMixed ? `~${alphabet}:${text.length}` : null;
}

/** At least two words, then a long number, joined by whatever separators. */
function wordsTemplate(text: string): string | null {
  const match = /^((?:\p{L}+[._-]+)+\p{L}*)(\d+)$/u.exec(text);
  const [, words = '', number = ''] = match ?? [];
  if (!LONG_NUMBER.test(number) || (words.match(/\p{L}+/gu)?.length ?? 0) < 2) return null;
  return `~${words.replace(/\p{L}+/gu, (word) => (word.length === 1 ? 'l' : 'w'))}#${number.length}`;
}

function literalTemplate(text: string): string | null {
  const [, word = '', number = ''] = /^(\p{L}+)[._-]?(\d+)$/u.exec(text) ?? [];
  if (COMMON_NAMES.has(word) && ORDINARY_NUMBER.test(number)) return null;
  return text.replace(/\d+/g, '#');
}

function isAscii(text: string): boolean {
  return /^[ -~]*$/.test(text);
}

function folded(localPart: string): string {
  return localPart
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\p{Nd}/gu, asciiDigit);
}

/** Unicode keeps the ten digits of each script together, from its zero on, at a multiple of ten or sixteen. */
function asciiDigit(digit: string): string {
  let zero = digit.codePointAt(0) ?? 0;
  const value = zero;
  while (value - zero < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) zero--;
  return String(value - zero);
}
