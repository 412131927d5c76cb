/** How many names of each kind the training lists have under one suffix. */
export type SuffixCounts = readonly [
  /** On a curated list of throwaway domains. */
  curated: number,
  /** On any list of throwaway domains. */
  burners: number,
  /** Sites that many people visit. */
  visited: number,
  /** Sites of organisations. */
  organisations: number,
];

/** By public suffix; under a leading dot, the sum of a top-level domain. */
export type SuffixTable = Readonly<Record<string, SuffixCounts>>;

/** In the order of `NAME_FACTS`, from `suffixCurated` to `suffixOrganisationCount`. */
export type SuffixFacts = readonly number[];

/** The key of the sums over all suffixes. */
export const ALL_SUFFIXES = '.';
/** With fewer names a suffix says nothing. */
const MIN_NAMES = 3;
const NO_NAMES: SuffixCounts = [0, 0, 0, 0];

/**
 * What a suffix says about names under it: log odds of throwaway names against clean ones, smoothed, and how common it
 * is.
 *
 * @param own What the name itself adds to the counts: training leaves it out.
 */
export function suffixFactsOf(table: SuffixTable, suffix: string, own: SuffixCounts = NO_NAMES): SuffixFacts {
  const total = table[ALL_SUFFIXES] ?? NO_NAMES;
  const counts = countsOf(table, suffix, own);
  const topLevel = countsOf(table, topLevelKey(suffix), own);
  const [, burners, visited, organisations] = counts;
  const odds = (row: SuffixCounts, a: number, b: number) =>
    Math.log(((row[a] ?? 0) + 0.5) / ((total[a] ?? 0) + 1)) -
    Math.log(((row[b] ?? 0) + 0.5) / ((total[b] ?? 0) + 1));
  return [
    odds(counts, CURATED, VISITED),
    odds(counts, BURNERS, VISITED),
    odds(counts, CURATED, ORGANISATIONS),
    odds(topLevel, CURATED, VISITED),
    Math.log1p(burners),
    Math.log1p(visited + organisations),
    Math.log1p(organisations),
  ];
}

/** The key of the top-level domain of a suffix. */
export function topLevelKey(suffix: string): string {
  return `.${suffix.slice(suffix.lastIndexOf('.') + 1)}`;
}

const [CURATED, BURNERS, VISITED, ORGANISATIONS] = [0, 1, 2, 3];

function countsOf(table: SuffixTable, key: string, own: SuffixCounts): SuffixCounts {
  const [a, b, c, d] = Object.hasOwn(table, key) ? (table[key] ?? NO_NAMES) : NO_NAMES;
  const counts: SuffixCounts = [a - own[0], b - own[1], c - own[2], d - own[3]];
  return counts[1] + counts[2] + counts[3] < MIN_NAMES ? NO_NAMES : counts;
}
