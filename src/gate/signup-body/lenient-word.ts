import { type FieldPath, numberOf } from './field-path.ts';

/**
 * Letters outside ASCII that fold to an ASCII letter (Go and Java compare names this way): the long s, the Kelvin sign,
 * and the i with and without a dot, in UTF-8 and escaped.
 */
const FOLDED: Readonly<Record<string, string>> = {
  i: '|\\xc4[\\xb0\\xb1]|%c4%b[01]|\\\\u013[01]',
  s: '|\\xc5\\xbf|%c5%bf|\\\\u017f',
  k: '|\\xe2\\x84\\xaa|%e2%84%aa|\\\\u212a',
};

/**
 * JSON inside a JSON text doubles the backslashes to two, inside that to four. The bound keeps a long run of them
 * linear.
 */
const BACKSLASHES = '\\\\{0,8}';
/** In YAML, a backslash at the end of a line drops the line break and the white space of the next line. */
const CONTINUED = '(?:\\\\\\r?\\n[ \\t]*)*';
/** Netty (Vert.x) drops line feeds from the names of a form, and quotes from the names of parts; Total.js drops NULs. */
const DROPPED = '(?:\\n|%0[0a]|\\\\u0000|")';
const LONG_RUN = new RegExp(`(${DROPPED})${DROPPED}{7,}(${DROPPED})`, 'gi');

/**
 * A pattern that finds a word in the bytes of any body (decoded as Latin-1) in every spelling that a lenient reader may
 * accept: in any case, each letter plain, escaped as in forms, JSON (once or more) or YAML, or after a backslash, as
 * in quoted text. Needs the flag `i`.
 */
export function lenientWord(word: string): string {
  return lenientLetters(word).join('');
}

function lenientLetters(word: string): readonly string[] {
  return [...Buffer.from(word.toLowerCase()).toString('latin1')].map((letter, i) => {
    const codes = [letter.toLowerCase(), letter.toUpperCase()].map((variant) =>
      variant.charCodeAt(0).toString(16).padStart(2, '0'),
    );
    const escaped = [...new Set(codes)].join('|');
    const quoted = i === 0 ? '' : `${CONTINUED}${DROPPED}*${BACKSLASHES}`;
    const byUnit = `(?:(?:\\\\|%(?:25)*)u(?:0000)?00|\\\\x)(?:${escaped})`;
    return `${quoted}(?:${letter.replace(/\W/g, '\\$&')}|%(?:25)*(?:${escaped})|${byUnit}${FOLDED[letter] ?? ''})`;
  });
}

/**
 * A pattern for the beginning of a name with a star, as the name of a JSON member: the JavaScriptSerializer of Mono takes
 * `em*` for `email`. White space of any length may follow, in this piece and the next. Needs the flag `i`.
 */
export function lenientWildcard(name: string): string {
  const beginning = lenientLetters(name).reduceRight((rest, letter) => `${letter}(?:${rest})?`, '');
  return `["']${beginning}(?:\\*|\\\\u002a|\\\\x2a)["'](?:\\s*:|\\s{600,}$)`;
}

/**
 * The end of a piece, to be searched again with the next piece. Long runs that a name may have inside are cut, since they
 * would leave no room for the beginning of the name. Their ends stay: one may be the quote of the name.
 * @param text Bytes decoded as Latin-1.
 */
export function overlapOf(text: string, length: number): string {
  const end = text.slice(-length);
  return end.search(LONG_RUN) === -1 ? end : text.replace(LONG_RUN, '$1$2').slice(-length);
}

const words = new WeakMap<FieldPath, RegExp>();

/** The pattern of the last name of a place, without its number (`1_email`). Making one takes 10 µs. */
export function wordOf(path: FieldPath): RegExp {
  const known = words.get(path);
  if (known) return known;
  const word = new RegExp(lenientWord(wordIn((path.at(-1) ?? '').replace(numberOf(path), ''))), 'gi');
  words.set(path, word);
  return word;
}

/** The longest run of letters and digits in a name: every parser keeps it together. */
export function wordIn(name: string): string {
  const runs = name.match(/[a-z0-9]+/gi) ?? [];
  return runs.reduce((longest, run) => (run.length > longest.length ? run : longest), '');
}
