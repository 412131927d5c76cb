import { foldUnicode } from './fold-unicode.ts';

/** One character each, and each folds only by its case. */
export function isPlainAscii(text: string): boolean {
  return /^[\x21-\x7e]*$/.test(text);
}

/** Keyed by the segment of a configured place; the configuration has only a few. */
const known = new Map<string, string>();
const MAX_KNOWN = 1_000;

/**
 * Whether some app gives a member the configured name, in place of one that has it. camelcase-keys, humps and lodash put
 * `_email` into `email` and `email_address` into `emailAddress`; with an alias, Pydantic prefers `emailAddress` to
 * `email_address`.
 *
 * @param wanted A segment of a configured place.
 */
export function isRespelled(name: string, wanted: string): boolean {
  const letters = configuredLetters(wanted);
  return letters !== '' && hasLetters(name, letters);
}

function configuredLetters(wanted: string): string {
  const found = known.get(wanted);
  if (found !== undefined) return found;
  const letters = foldedLetters(wanted);
  if (known.size < MAX_KNOWN) known.set(wanted, letters);
  return letters;
}

/** Nearly every name ends the loop with its first letter. */
function hasLetters(name: string, letters: string): boolean {
  let matched = 0;
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i);
    if (code > 0x7e) return hasFoldedLetters(name, letters);
    const isLetter = (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
    if (!isLetter && (code < 0x30 || code > 0x39)) continue;
    if ((isLetter ? code | 0x20 : code) !== letters.charCodeAt(matched)) return false;
    matched += 1;
  }
  return matched === letters.length;
}

function hasFoldedLetters(name: string, letters: string): boolean {
  const kept = withoutSigns(name);
  // Folding a long text with marks takes quadratic time. No letter folds to less than one, with two units at most.
  return kept.length <= 2 * letters.length && foldedLetters(kept) === letters;
}

/** Letters without marks, which lodash drops, and digits. */
function foldedLetters(name: string): string {
  return withoutSigns(foldUnicode(name).normalize('NFD'));
}

function withoutSigns(name: string): string {
  return name.replace(/[^\p{L}\p{N}]+/gu, '');
}
