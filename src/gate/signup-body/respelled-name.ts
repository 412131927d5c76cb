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
  return letters !== '' && name.length >= letters.length && lettersOf(name) === letters;
}

function configuredLetters(wanted: string): string {
  const found = known.get(wanted);
  if (found !== undefined) return found;
  const letters = lettersOf(wanted);
  if (known.size < MAX_KNOWN) known.set(wanted, letters);
  return letters;
}

/** Letters without marks, which lodash drops, and digits. */
function lettersOf(name: string): string {
  if (isPlainAscii(name)) return name.replace(/[^a-z0-9]+/gi, '').toLowerCase();
  return foldUnicode(name)
    .normalize('NFD')
    .replace(/[^\p{L}\p{N}]+/gu, '');
}
