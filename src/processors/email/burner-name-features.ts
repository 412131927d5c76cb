/**
 * The number of weights that the features share by their hash. It is a power of two; each weight is one byte in the
 * committed file.
 */
export const FEATURE_BUCKETS = 1 << 18;
/** Further characters of a name add no information. */
const MAX_LABEL = 40;
const MAX_GRAM = 5;
/** The suffix counts several times: as one feature among fifty, it would have little weight. */
const SUFFIX_REPEATS = 3;
/** The largest number of features of one name. */
export const MAX_FEATURES = (MAX_LABEL + 2) * (MAX_GRAM - 1) + SUFFIX_REPEATS + 20;

/** A seed for each kind of feature, so that equal values of two kinds get different buckets. */
const KIND = {
  suffix: 101,
  topLevel: 102,
  length: 103,
  digits: 104,
  hyphens: 105,
  vowels: 106,
  consonantRun: 107,
  runs: 108,
  skeleton: 109,
} as const;

const FNV_OFFSET = 2166136261;
const FNV_PRIME = 16777619;
const BOUNDARY = 36;

/**
 * The features of a domain for the burner-name model: the n-grams (2 to 5 characters, ends marked) of the registered
 * label, its suffix, and its shape (length, digits, hyphens, vowels, runs of letters and digits, the vowel skeleton).
 * The shape is also combined with the suffix, because six letters under `.com` mean something different from six
 * letters under `.ml`.
 *
 * Training and product share this function: after a change run `npm run train`.
 * @param label The registered label, without its suffix. Lower case.
 * @param into Receives the bucket numbers; at least `MAX_FEATURES` long.
 * @returns The number of features that were written. A bucket may occur more than once.
 */
export function extractFeatures(label: string, suffix: string, into: Uint32Array): number {
  const length = Math.min(label.length, MAX_LABEL);
  let count = 0;
  const add = (hash: number) => {
    into[count++] = scramble(hash) & (FEATURE_BUCKETS - 1);
  };
  for (let start = -1; start < length; start++) {
    let hash = FNV_OFFSET;
    for (let size = 1; size <= MAX_GRAM && start + size <= length + 1; size++) {
      const at = start + size - 1;
      const code = at === -1 || at === length ? BOUNDARY : label.charCodeAt(at);
      hash = Math.imul(hash ^ code, FNV_PRIME);
      if (size > 1) add(hash ^ size);
    }
  }
  const shape = shapeOf(label, length);
  const suffixHash = hashText(suffix);
  for (let i = 0; i < SUFFIX_REPEATS; i++) add(combine(KIND.suffix, suffixHash));
  add(combine(KIND.topLevel, hashText(suffix.slice(suffix.lastIndexOf('.') + 1))));
  add(combine(KIND.vowels, shape.vowelSixths * 64 + shape.length));
  add(combine(KIND.consonantRun, shape.consonantRun * 64 + shape.length));
  for (const [kind, value] of [
    [KIND.length, shape.length],
    [KIND.digits, shape.digits],
    [KIND.hyphens, shape.hyphens],
    [KIND.vowels, shape.vowelSixths],
    [KIND.consonantRun, shape.consonantRun],
    [KIND.runs, shape.runs],
    [KIND.skeleton, shape.skeleton],
  ] as const) {
    const feature = combine(kind, value);
    add(feature);
    add(combine(feature, suffixHash));
  }
  return count;
}

/** The number of n-grams among the features of a label. They come first. */
export function countOfGrams(label: string): number {
  const starts = Math.min(label.length, MAX_LABEL) + 1;
  let count = 0;
  for (let left = 1; left <= starts; left++) count += Math.min(MAX_GRAM - 1, left);
  return count;
}

interface Shape {
  readonly length: number;
  readonly digits: number;
  readonly hyphens: number;
  readonly vowelSixths: number;
  readonly consonantRun: number;
  /** Hash of the runs of letters, digits and hyphens in order: `ab-12` is letters, hyphen, digits. */
  readonly runs: number;
  /** Hash of vowels, consonants and digits in order, the first nine of them. */
  readonly skeleton: number;
}

const SKELETON_LENGTH = 9;
const MAX_RUNS = 10;

function shapeOf(label: string, length: number): Shape {
  let digits = 0;
  let hyphens = 0;
  let vowels = 0;
  let consonants = 0;
  let consonantRun = 0;
  let runs = FNV_OFFSET;
  let runCount = 0;
  let previous = '';
  let skeleton = Math.imul(FNV_OFFSET ^ Math.min(length, SKELETON_LENGTH + 1), FNV_PRIME);
  for (let i = 0; i < length; i++) {
    const kind = kindOf(label.charCodeAt(i));
    if (kind === 'digit') digits++;
    else if (kind === 'hyphen') hyphens++;
    else if (kind === 'vowel') vowels++;
    consonants = kind === 'consonant' ? consonants + 1 : 0;
    consonantRun = Math.max(consonantRun, consonants);
    const run = kind === 'vowel' || kind === 'consonant' ? 'letter' : kind;
    if (run !== previous && runCount++ < MAX_RUNS) runs = Math.imul(runs ^ run.charCodeAt(0), FNV_PRIME);
    previous = run;
    if (i < SKELETON_LENGTH) skeleton = Math.imul(skeleton ^ kind.charCodeAt(0), FNV_PRIME);
  }
  return {
    length: Math.min(length, 24),
    digits: Math.min(digits, 5),
    hyphens: Math.min(hyphens, 4),
    vowelSixths: length > 0 ? Math.round((vowels / length) * 6) : 0,
    consonantRun: Math.min(consonantRun, 6),
    runs,
    skeleton,
  };
}

type CharacterKind = 'digit' | 'hyphen' | 'vowel' | 'consonant';

/** Codes of a, e, i, o, u and y. */
const VOWELS: ReadonlySet<number> = new Set([97, 101, 105, 111, 117, 121]);

function kindOf(code: number): CharacterKind {
  if (code === 45) return 'hyphen';
  if (code < 58) return 'digit';
  return VOWELS.has(code) ? 'vowel' : 'consonant';
}

function hashText(text: string): number {
  let hash = FNV_OFFSET;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), FNV_PRIME);
  return hash;
}

function combine(kind: number, value: number): number {
  return scramble(Math.imul(kind, 0x9e3779b1) ^ scramble(value));
}

/** The finalizer of MurmurHash3: with FNV alone the low bits are too similar. */
function scramble(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
