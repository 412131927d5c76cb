import { createHash } from 'node:crypto';
import { parseDomainName } from '../../src/addresses/email-address.ts';
import type { SuffixCounts } from '../../src/processors/email/suffix-counts.ts';
import type { Example } from './logistic-regression.ts';
import type { TrainingList } from './training-domains.ts';
import { isBurnerWorld } from './training-packages.ts';

/** One name of the training lists. */
export interface NameExample extends Example {
  readonly name: string;
  /** Burners: whether a curated list has or had it. */
  readonly isCurated: boolean;
  /** How much it counts for the trees. */
  readonly treeWeight: number;
  /** What it adds to the counts of its suffix. */
  readonly counts: SuffixCounts;
}

/**
 * For the trees, names of wide lists count less, because they follow the fashions of ten years. With no such names, random
 * letters under suffixes that were free until 2023 would not look like throwaway names any more.
 */
const SHARE_OF_WIDE_NAMES = 0.3;
/** Curated names that a wide list has too are older than the others. */
const SHARE_OF_LISTED_TWICE = 0.5;

/**
 * Every registrable name once, with the highest weight of its lists. A name on a curated burner list is a burner. A name
 * on a wide list and on a clean list is neither, and is left out. International names are left out too.
 */
export function mergeExamples(lists: readonly TrainingList[]): readonly NameExample[] {
  const listsOf = new Map<string, TrainingList[]>();
  for (const list of lists) {
    for (const domain of list.domains) {
      const known = listsOf.get(domain);
      if (known) known.push(list);
      else listsOf.set(domain, [list]);
    }
  }
  const examples: NameExample[] = [];
  for (const [name, holders] of listsOf) {
    const domain = parseDomainName(name);
    if (!domain?.registrable || name.startsWith('xn--')) continue;
    const burnerLists = holders.filter(({ world }) => isBurnerWorld(world));
    const isCurated = burnerLists.some((list) => list.isCurated);
    const isBurner = burnerLists.length > 0;
    if (isBurner && !isCurated && burnerLists.length < holders.length) continue;
    const suffix = domain.publicSuffix;
    const weight = Math.max(...(isBurner ? burnerLists : holders).map((list) => list.weight));
    const counts = isBurner ? burnerCounts(burnerLists) : cleanCounts(holders);
    const label = name.slice(0, -suffix.length - 1);
    const isWide = burnerLists.some((list) => !list.isCurated);
    const treeWeight = weight * (isWide ? (isCurated ? SHARE_OF_LISTED_TWICE : SHARE_OF_WIDE_NAMES) : 1);
    examples.push({ name, label, suffix, isBurner, isCurated, weight, treeWeight, counts });
  }
  return examples;
}

/** A tenth of all names, the same in every list, by their hash: never learned from. */
export function isHeldBack(name: string): boolean {
  return hashByte(name, 0) < 26;
}

/** A quarter of all names, among them that tenth. The measurement with later names does not learn from them. */
export function isHeldBackFromCuts(name: string): boolean {
  return hashByte(name, 0) < 64;
}

/** The part of five in which a name is judged by a regression that has not seen it. */
export function foldOf(name: string, folds: number): number {
  return hashByte(name, 1) % folds;
}

function hashByte(name: string, at: number): number {
  return createHash('sha256').update(name).digest()[at] ?? 0;
}

/** Only current lists count as curated, because the suffixes of throwaway names change from year to year. */
function burnerCounts(lists: readonly TrainingList[]): SuffixCounts {
  return [lists.some(({ world, isCurated }) => world === 'burners' && isCurated) ? 1 : 0, 1, 0, 0];
}

/**
 * The suffixes of schools are kept for schools and say nothing about others. Hosts that other sites load from are mostly
 * of advertisers, so they do not count as visited.
 */
function cleanCounts(holders: readonly TrainingList[]): SuffixCounts {
  if (holders.some(({ world }) => world === 'organisations')) return [0, 0, 0, 1];
  return holders.some(({ world }) => world === 'sites') ? [0, 0, 1, 0] : [0, 0, 0, 0];
}
