import { decodeAsUtf8, dropIgnorable, isAscii, swapCase } from './path-variants.ts';

/**
 * A first look at a target that takes linear time and makes no variant: whether some variant of it could hold a word. It
 * never says no where one does, and says yes to some where none does: those are read in full, within the budget.
 */
export interface NearText {
  /** @param word Lower-case ASCII without white space, as `needleOf` gives. */
  mayHold(word: string): boolean;
}

export function createNearText(text: string): NearText {
  const decoded = text.includes('%') ? decodeAsUtf8(text) : text;
  // Whoever reads it cuts pieces off, up to a slash or to the end, and never joins what stood apart.
  if (isAscii(decoded) && !decoded.includes('%')) {
    const lower = decoded.toLowerCase();
    return { mayHold: (word) => lower.includes(word) };
  }
  const bare = decoded.includes('\ufffd') ? '%' : bareLetters(decoded);
  // Characters are dropped out of it, in any number, but none has to be decoded once more.
  if (!bare.includes('%')) return { mayHold: (word) => holdsInOrder(bare, word) };
  const characters = charactersOf(text);
  return { mayHold: (word) => [...word].every((letter) => canBecome(characters, letter)) };
}

/**
 * The longest word that every variant has to hold which is to match one of these segments; null where there is none, so
 * that everything is near.
 */
export function needleOf(segments: readonly string[]): string | null {
  const words = segments.flatMap((segment) => bareLetters(segment).match(/[\x21-\x7e]+/g) ?? []);
  return words.reduce<string | null>(
    (longest, word) => (longest !== null && longest.length >= word.length ? longest : word),
    null,
  );
}

/** Folded and taken apart, so that a letter remains a letter whatever stands upon it. */
function bareLetters(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  // Without the marks first: normalization sorts them, which takes quadratic time.
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

/** The characters of a text, ASCII letters in lower case, and one that stands for all beyond ASCII. */
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
 * Whether some of these characters can end as this letter, however often they are decoded, with others dropped between
 * them. An escape ends with the low digit of what it stands for, which is there as it is or, where it is a letter, as
 * the low digit of that letter's own escape.
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

/** What an escape can end with whose low digit is this one: `a` is `%61`. */
function leavesOf(digit: string): string {
  return /[0-9]/.test(digit) ? digit : `${digit}${digit.charCodeAt(0) - 0x60}`;
}
