import { foldUnicode } from './fold-unicode.ts';

/** Whether a name outside ASCII has these letters. */
export function hasFoldedLetters(name: string, letters: string): boolean {
  const kept = withoutSigns(name);
  // Folding a long text with marks takes quadratic time. No letter folds to less than one, with two units at most.
  return kept.length <= 2 * letters.length && foldedLetters(kept) === letters;
}

/** Letters without marks, which lodash drops, and digits. */
export function foldedLetters(name: string): string {
  return withoutSigns(foldUnicode(name).normalize('NFD'));
}

function withoutSigns(name: string): string {
  return name.replace(/[^\p{L}\p{N}]+/gu, '');
}
