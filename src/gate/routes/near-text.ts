import { decodeAsUtf8, dropIgnorable, isAscii, swapCase } from './path-variants.ts';

/**
 * A first test in linear time, without variants: whether some variant of a target may contain this word. It never
 * misses such a variant. It also accepts some targets without such a variant; these are read in full, within the
 * budget.
 */
export interface NearText {
  /** @param word Lower-case ASCII without white space, as `needleOf` returns it. */
  mayHold(word: string): boolean;
}

export function createNearText(text: string): NearText {
  const decoded = text.includes('%') ? decodeAsUtf8(text) : text;
  // Readers remove pieces up to a slash or to the end. They never join two separate pieces.
  if (isAscii(decoded) && !decoded.includes('%')) {
    const lower = decoded.toLowerCase();
    return { mayHold: (word) => lower.includes(word) };
  }
  const bare = decoded.includes('\ufffd') ? '%' : bareLetters(decoded);
  // A reader may drop any number of characters, but there is nothing left to decode.
  if (!bare.includes('%')) return { mayHold: (word) => holdsInOrder(bare, word) };
  const characters = charactersOf(text);
  return { mayHold: (word) => [...word].every((letter) => canBecome(characters, letter)) };
}

/**
 * The longest word that every variant matching one of these segments must contain. Null when there is no such word;
 * every target then counts as close.
 */
export function needleOf(segments: readonly string[]): string | null {
  // Punctuation may be written as other punctuation.
  const words = segments.flatMap((segment) => bareLetters(segment).match(/[a-z0-9]+/g) ?? []);
  return words.reduce<string | null>(
    (longest, word) => (longest !== null && longest.length >= word.length ? longest : word),
    null,
  );
}

/** Folded and decomposed, so that a letter with marks is still found as that letter. */
function bareLetters(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  // Removes the marks first: normalization sorts them, which takes quadratic time.
  const apart = dropMarks(dropMarks(dropIgnorable(text)).normalize('NFKD'));
  return dropMarks(swapCase(apart).normalize('NFKD'));
}

function dropMarks(text: string): string {
  return text.replace(/\p{M}+/gu, '');
}

function holdsInOrder(text: string, word: string): boolean {
  let at = 0;
  for (const letter of word) {
    at = text.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

/** The characters of a text, ASCII letters in lower case. One character represents all characters outside ASCII. */
function charactersOf(text: string): ReadonlySet<string> {
  const characters = new Set<string>();
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    characters.add(code > 0x7e ? '\ufffd' : String.fromCharCode(code));
  }
  for (const character of [...characters]) characters.add(character.toLowerCase());
  return characters;
}

/**
 * Whether some of these characters can become this letter after any number of decodings, with other characters dropped
 * between them. An escape ends with the low hex digit of its letter. The text holds that digit as it is or, when the
 * digit is a letter, the low digit of that letter's own escape.
 */
function canBecome(characters: ReadonlySet<string>, letter: string): boolean {
  const has = (some: string) => [...some].some((character) => characters.has(character));
  if (has(`${letter}\ufffd`)) return true;
  if (!has('%')) return false;
  const low = (letter.charCodeAt(0) & 15).toString(16);
  if (has(leavesOf(low))) return true;
  // `%AA`, `%BA` and the raised digits of Latin-1.
  if (/[ao0-9]/.test(letter) && has('a1b')) return true;
  const isUtf8 = has('cdef46') && (has('89ab') || (has('46') && has('12')));
  const isOldEscape = has('u5') && has('0134abf');
  return (isUtf8 && (has('cdef') || has('3456'))) || isOldEscape;
}

/** The possible last characters of an escape with this low digit: `a` is `%61`. */
function leavesOf(digit: string): string {
  return /[0-9]/.test(digit) ? digit : `${digit}${digit.charCodeAt(0) - 0x60}`;
}
