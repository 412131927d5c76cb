import { lastWordsOf, parseCidr, parseIpAddress } from '../addresses/ip-address.ts';
import type { IpSet } from './datasets.ts';
import { compareWords, countUpTo, createWordBuffer, type WordBuffer } from './word-buffer.ts';

/** Collects ranges in any order. They may overlap. `build` sorts and merges them. */
export interface IpRangesBuilder {
  /**
   * Adds an address, a network (`203.0.113.0/24`) or a range (`203.0.113.5-203.0.113.9`), IPv4 or IPv6.
   * @returns false for any other text.
   */
  add(text: string): boolean;
  build(): IpSet;
}

/** The number of words of one address, by IP version. */
const WORDS = { 4: 1, 6: 4 } as const;

export const NO_IPS: IpSet = { size: 0, has: () => false };

/** Sets of ranges as flat words: 8 bytes for an IPv4 range, 32 for an IPv6 range. */
export function createIpRangesBuilder(): IpRangesBuilder {
  const ranges = { 4: createWordBuffer(), 6: createWordBuffer() };
  return {
    add(text) {
      const range = parseRange(text);
      if (!range) return false;
      ranges[range.family].push(range.from);
      ranges[range.family].push(range.to);
      return true;
    },
    build: () => createIpRanges(mergedRanges(ranges[4], 4), mergedRanges(ranges[6], 6)),
  };
}

/** The union of all sets. */
export function unionOfIpSets(sets: readonly IpSet[]): IpSet {
  const filled = sets.filter((set) => set.size > 0);
  const [first = NO_IPS] = filled;
  if (filled.length <= 1) return first;
  return {
    size: filled.reduce((sum, set) => sum + set.size, 0),
    has: (ip) => filled.some((set) => set.has(ip)),
  };
}

interface Range {
  readonly family: 4 | 6;
  readonly from: readonly number[];
  readonly to: readonly number[];
}

function parseRange(text: string): Range | null {
  const dash = text.indexOf('-');
  if (dash === -1) {
    const cidr = parseCidr(text);
    return cidr && { family: cidr.network.family, from: cidr.network.words, to: lastWordsOf(cidr) };
  }
  const from = parseIpAddress(text.slice(0, dash).trim());
  const to = parseIpAddress(text.slice(dash + 1).trim());
  if (
    !from ||
    !to ||
    from.family !== to.family ||
    compareWords(from.words, 0, to.words, 0, from.words.length) > 0
  )
    return null;
  return { family: from.family, from: from.words, to: to.words };
}

/** Sorted ranges that do not overlap and are not adjacent: from, to, from, to, … */
function mergedRanges(buffer: WordBuffer, family: 4 | 6): Uint32Array {
  const width = WORDS[family];
  const sorted = buffer.sortedRecords(2 * width);
  let end = 0;
  for (let at = 0; at < sorted.length; at += 2 * width) {
    const previousTo = end - width;
    if (end > 0 && touches(sorted, previousTo, at, width)) {
      const to = at + width;
      if (compareWords(sorted, to, sorted, previousTo, width) > 0)
        sorted.copyWithin(previousTo, to, to + width);
    } else {
      sorted.copyWithin(end, at, at + 2 * width);
      end += 2 * width;
    }
  }
  return sorted.slice(0, end);
}

/** Whether a range that begins at `from` overlaps a range that ends at `to`, or directly follows it. */
function touches(words: Uint32Array, to: number, from: number, width: number): boolean {
  if (compareWords(words, from, words, to, width) <= 0) return true;
  // The address after `to`: low words overflow to zero until one does not.
  let i = width - 1;
  while (i > 0 && words[to + i] === 0xffffffff && words[from + i] === 0) i--;
  return words[from + i] === (words[to + i] ?? 0) + 1 && compareWords(words, from, words, to, i) === 0;
}

function createIpRanges(ipv4: Uint32Array, ipv6: Uint32Array): IpSet {
  return {
    size: ipv4.length / (2 * WORDS[4]) + ipv6.length / (2 * WORDS[6]),
    has: ({ family, words }) =>
      family === 4 ? isInRange(ipv4, words, WORDS[4]) : isInRange(ipv6, words, WORDS[6]),
  };
}

/** Whether the range that begins last, at or before the address, ends at or after it. */
function isInRange(ranges: Uint32Array, words: readonly number[], width: number): boolean {
  const end = 2 * width * countUpTo(ranges, 2 * width, words, width);
  return end > 0 && compareWords(ranges, end - width, words, 0, width) >= 0;
}
