import type { SuffixFacts } from './suffix-counts.ts';

/** The facts of one name that the trees use. Each fact has a number. */
export const NAME_FACTS = [
  'score',
  'scoreOfLetters',
  'suffixCurated',
  'suffixBurners',
  'suffixCuratedToOrganisations',
  'topLevelCurated',
  'suffixBurnerCount',
  'suffixCleanCount',
  'suffixOrganisationCount',
  'length',
  'digits',
  'hyphens',
  'vowelShare',
  'consonantRun',
  'vowelRun',
  'runs',
  'changes',
  'entropy',
  'distinctShare',
  'leadingDigits',
  'trailingDigits',
  'trailingLetters',
  'suffixLabels',
  'suffixLength',
  'mailWord',
  'sibling',
] as const;

/** Further characters of a name add no information. */
const MAX_LABEL = 40;
const CHARACTERS = 128;

/** The words that throwaway services put into their names. */
const MAIL_WORD =
  /mail|inbox|mbox|temp|tmp|fake|spam|trash|throw|dispos|burner|drop|10min|minute|junk|guerr|anon|post|smtp|outl|gma/;

const counts = new Uint8Array(CHARACTERS);

/**
 * Writes the facts of a name in the order of `NAME_FACTS`. Training and product share this function: after a change run
 * `npm run train`.
 *
 * @param label The registered label, without its suffix: lower-case ASCII.
 * @param linear The scores of the regression: of the whole name, and of its letters alone.
 */
export function writeNameFacts(
  into: Float32Array,
  { label, suffix, linear, suffixFacts, hasSibling }: NameToDescribe,
): void {
  into.set(linear);
  into.set(suffixFacts, linear.length);
  writeShape(into, linear.length + suffixFacts.length, label.slice(0, MAX_LABEL));
  let labels = 1;
  for (let i = 0; i < suffix.length; i++) if (suffix.charCodeAt(i) === 46) labels++;
  const others = [labels, suffix.length, MAIL_WORD.test(label) ? 1 : 0, hasSibling ? 1 : 0];
  into.set(others, NAME_FACTS.length - others.length);
}

export interface NameToDescribe {
  readonly label: string;
  readonly suffix: string;
  readonly linear: readonly [whole: number, letters: number];
  readonly suffixFacts: SuffixFacts;
  /** Whether a curated list has another name of its family. */
  readonly hasSibling: boolean;
}

type Kind = 'digit' | 'hyphen' | 'vowel' | 'consonant';

function writeShape(into: Float32Array, at: number, label: string): void {
  let [digits, hyphens, vowels, consonants] = [0, 0, 0, 0];
  let [consonantRun, vowelRun, longestConsonants, longestVowels] = [0, 0, 0, 0];
  let [runs, changes, leadingDigits, trailingDigits, trailingLetters] = [0, 0, 0, 0, 0];
  let previous: Kind | null = null;
  counts.fill(0);
  for (let i = 0; i < label.length; i++) {
    const code = label.charCodeAt(i);
    counts[code] = (counts[code] ?? 0) + 1;
    const kind = kindOf(code);
    if (kind === 'digit') digits++;
    else if (kind === 'hyphen') hyphens++;
    else if (kind === 'vowel') vowels++;
    else consonants++;
    consonantRun = kind === 'consonant' ? consonantRun + 1 : 0;
    vowelRun = kind === 'vowel' ? vowelRun + 1 : 0;
    longestConsonants = Math.max(longestConsonants, consonantRun);
    longestVowels = Math.max(longestVowels, vowelRun);
    if (runOf(kind) !== runOf(previous)) runs++;
    if ((kind === 'digit' && isLetter(previous)) || (isLetter(kind) && previous === 'digit')) changes++;
    if (kind === 'digit' && digits === i + 1) leadingDigits++;
    trailingDigits = kind === 'digit' ? trailingDigits + 1 : 0;
    trailingLetters = isLetter(kind) ? trailingLetters + 1 : 0;
    previous = kind;
  }
  let [entropy, distinct] = [0, 0];
  for (const count of counts) {
    if (count === 0) continue;
    distinct++;
    entropy -= (count / label.length) * Math.log2(count / label.length);
  }
  const shape = [
    ...[label.length, digits, hyphens, vowels / Math.max(1, vowels + consonants)],
    ...[longestConsonants, longestVowels, runs, changes, entropy, distinct / Math.max(1, label.length)],
    ...[leadingDigits, trailingDigits, trailingLetters],
  ];
  into.set(shape, at);
}

function kindOf(code: number): Kind {
  if (code === 45) return 'hyphen';
  if (code < 58) return 'digit';
  // a, e, i, o, u and y
  return code === 97 || code === 101 || code === 105 || code === 111 || code === 117 || code === 121
    ? 'vowel'
    : 'consonant';
}

function isLetter(kind: Kind | null): boolean {
  return kind === 'vowel' || kind === 'consonant';
}

function runOf(kind: Kind | null): string | null {
  return isLetter(kind) ? 'letters' : kind;
}
