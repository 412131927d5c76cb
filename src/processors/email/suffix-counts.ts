/** The numbers of names of each kind under one suffix in the training lists. */
export type SuffixCounts = readonly [
  /** The names on a curated list of throwaway domains. */
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
 * The facts of a suffix: how common it is, and the smoothed log odds that a name under it is a throwaway name.
 *
 * @param own The counts of the name itself, which training subtracts.
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
