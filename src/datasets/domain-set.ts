import type { DomainSet } from './datasets.ts';

/**
 * A set of domain names as an open-addressing table of 64-bit hashes in one typed array: 160,000 names need 4 MB and no
 * objects; a `Set` of strings needs 15 MB of heap. Names are not stored, so the set only answers look-ups.
 *
 * In a million sets of this size, about two look-ups would collide (n * 2^-64 for each look-up). An attacker gains
 * nothing by a collision, because it would only make the attacker's own name count as listed.
 */

/** Slots of two words: high and low half of the hash; 0, 0 is an empty slot. The number of slots is a power of two. */
export type DomainTable = Uint32Array<ArrayBuffer>;

/**
 * The highest share of used slots. In a fuller table, runs of used slots become long: at 0.62, a look-up of a missing
 * name takes four probes.
 */
const MAX_LOAD = 0.62;
const MIN_SLOTS = 16;

/** Fills a table, one name after another. */
export interface DomainTableBuilder {
  /** Adds a name in lower-case A-labels. Adding a name twice has no effect. */
  add(domain: string): void;
  readonly table: DomainTable;
}

/** @param capacity The largest expected number of names. With more names, look-ups become slow. */
export function createDomainTableBuilder(capacity: number): DomainTableBuilder {
  let slots = MIN_SLOTS;
  while (capacity > slots * MAX_LOAD) slots *= 2;
  const table = new Uint32Array(slots * 2);
  return { add: (domain) => insert(table, domain), table };
}

/** @param size Number of names in the table. */
export function createDomainSet(table: DomainTable, size: number): DomainSet {
  return { size, has: (domain) => contains(table, domain) };
}

/** The union of all sets. Its size is the sum of their sizes: a name in two sets counts twice. */
export function unionOfDomainSets(sets: readonly DomainSet[]): DomainSet {
  const [only] = sets;
  if (only && sets.length === 1) return only;
  return {
    size: sets.reduce((sum, set) => sum + set.size, 0),
    has: (domain) => sets.some((set) => set.has(domain)),
  };
}

function insert(table: DomainTable, domain: string): void {
  const high = hashOf(domain, HIGH_SEED);
  const low = hashOf(domain, LOW_SEED);
  const mask = table.length - 1;
  let at = (high << 1) & mask;
  while (table[at] !== 0 || table[at + 1] !== 0) {
    if (table[at] === high && table[at + 1] === low) return;
    at = (at + 2) & mask;
  }
  table[at] = high;
  table[at + 1] = low;
}

function contains(table: DomainTable, domain: string): boolean {
  const high = hashOf(domain, HIGH_SEED);
  const low = hashOf(domain, LOW_SEED);
  const mask = table.length - 1;
  let at = (high << 1) & mask;
  while (table[at] !== 0 || table[at + 1] !== 0) {
    if (table[at] === high && table[at + 1] === low) return true;
    at = (at + 2) & mask;
  }
  return false;
}

const HIGH_SEED = 0x9e3779b9;
const LOW_SEED = 0x85ebca6b;

/**
 * The hash of a name: MurmurHash3's round for each code unit, and its finalizer. Never 0, because 0 marks an empty
 * slot.
 */
function hashOf(text: string, seed: number): number {
  let hash = seed ^ text.length;
  for (let i = 0; i < text.length; i++) {
    let unit = Math.imul(text.charCodeAt(i), 0xcc9e2d51);
    unit = (unit << 15) | (unit >>> 17);
    hash ^= Math.imul(unit, 0x1b873593);
    hash = (hash << 13) | (hash >>> 19);
    hash = (Math.imul(hash, 5) + 0xe6546b64) | 0;
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0 || 1;
}
