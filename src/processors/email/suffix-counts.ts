/** The numbers of names of each kind under one suffix in the training lists. */
export type SuffixCounts = readonly [
  /** The names that a curated list of throwaway domains has today. */
  curated: number,
  /** The names on any list of throwaway domains. */
  burners: number,
  /** Sites that many people visit. */
  visited: number,
  /** Sites of organisations. */
  organisations: number,
];

/** The counts by public suffix. A key with a leading dot has the sum of a top-level domain. */
export type SuffixTable = Readonly<Record<string, SuffixCounts>>;

/** The values in the order of `NAME_FACTS`, from `suffixCurated` to `suffixOrganisationCount`. */
export type SuffixFacts = readonly number[];

/** The key of the sums over all suffixes. */
export const ALL_SUFFIXES = '.';
/** A suffix with fewer names is not used. */
const MIN_NAMES = 3;
const NO_NAMES: SuffixCounts = [0, 0, 0, 0];

/**
 * The facts of a suffix: how common it is, and the smoothed log odds that a name under it is a throwaway name. Training
 * does not subtract the name itself: the difference of one would tell the trees what the name is.
 */
export function suffixFactsOf(table: SuffixTable, suffix: string): SuffixFacts {
  const total = table[ALL_SUFFIXES] ?? NO_NAMES;
  const counts = countsOf(table, suffix);
  const topLevel = countsOf(table, topLevelKey(suffix));
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

function countsOf(table: SuffixTable, key: string): SuffixCounts {
  const counts = Object.hasOwn(table, key) ? (table[key] ?? NO_NAMES) : NO_NAMES;
  return counts[1] + counts[2] + counts[3] < MIN_NAMES ? NO_NAMES : counts;
}
