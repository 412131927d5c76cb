import { contains } from './known-sites.ts';

/**
 * Labels of throwaway names on curated lists, with each run of digits as one: `mail17.top` and `mail4.xyz` are of one
 * family. Services register the same name under many suffixes and with many numbers.
 */
export interface NameFamilies {
  /** Whether a curated list has a name with this label, in its digits or not. */
  has(label: string): boolean;
}

/** @param hashes `hashFamily` of each label, in ascending order. */
export function createNameFamilies(hashes: Uint32Array): NameFamilies {
  return { has: (label) => contains(hashes, hashFamily(label)) };
}

const DIGIT = 0x30;

/** 32 bits of FNV-1a, mixed. */
export function hashFamily(label: string): number {
  let hash = 0x811c9dc5;
  let isAfterDigit = false;
  for (let i = 0; i < label.length; i++) {
    const code = label.charCodeAt(i);
    const isDigit = code >= DIGIT && code < DIGIT + 10;
    if (!isDigit || !isAfterDigit) hash = Math.imul(hash ^ (isDigit ? DIGIT : code), 0x01000193);
    isAfterDigit = isDigit;
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
