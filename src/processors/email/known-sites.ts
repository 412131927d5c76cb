import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DomainName } from '../../addresses/email-address.ts';

/**
 * The registrable domains of companies, brands and other sites that many people use. No guess is made from the names of
 * these sites: `abc.xyz` is a company, and wide lists of throwaway domains contain `facebook.com`.
 */
export interface KnownSites {
  readonly size: number;
  has(domain: DomainName): boolean;
  /** Whether a `.com` name is the name of a known site of one country: the newspaper of `dailymail.co.uk` has both. */
  hasInCountry(domain: DomainName): boolean;
}

/**
 * Countries whose companies often have their name under `.com` too, and whose registries are expensive or strict enough that
 * few throwaway domains are there.
 */
const COUNTRY_SUFFIXES =
  'at be ca ch co.in co.jp co.nz co.uk co.za com.au com.br de dk es fi fr ie it nl no pl se'.split(' ');

/** The content of `models/known-sites.json`, which describes the file of hashes beside it. */
export interface KnownSitesManifest {
  readonly format: 1;
  readonly sha256: string;
}

/** `hashSiteName` of each name as 32-bit numbers, little-endian, ascending. */
const HASHES_FILE = 'known-sites.bin';
const MANIFEST_FILE = 'known-sites.json';

/**
 * @param folder `models/` of the package.
 * @throws {Error} when a file is missing, damaged, or of another version of the code.
 */
export function loadKnownSites(folder: string): KnownSites {
  try {
    return createKnownSites(readHashes(folder));
  } catch (cause) {
    throw new Error(
      `The known sites in ${folder} cannot be used: ${cause instanceof Error ? cause.message : cause}. ` +
        'Reinstall the package, or run `npm run train` in a checkout.',
      { cause },
    );
  }
}

/** @param hashes In ascending order. */
export function createKnownSites(hashes: Uint32Array): KnownSites {
  return {
    size: hashes.length,
    has: ({ registrable }) => registrable !== null && contains(hashes, hashSiteName(registrable)),
    hasInCountry({ registrable, publicSuffix }) {
      if (registrable === null || publicSuffix !== 'com') return false;
      const stem = registrable.slice(0, -publicSuffix.length);
      return COUNTRY_SUFFIXES.some((suffix) => contains(hashes, hashSiteName(stem + suffix)));
    },
  };
}

/** The sorted hashes of the names, each once. */
export function hashSiteNames(names: Iterable<string>): Uint32Array<ArrayBuffer> {
  return Uint32Array.from(new Set([...names].map(hashSiteName))).sort();
}

/** 32 bits of FNV-1a, mixed. With 170,000 known names, one of 25,000 other names counts as known by chance. */
function hashSiteName(name: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Whether an ascending list has the number. */
export function contains(sorted: Uint32Array, wanted: number): boolean {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return sorted[low] === wanted;
}

function readHashes(folder: string): Uint32Array {
  const manifest = JSON.parse(readFileSync(join(folder, MANIFEST_FILE), 'utf8')) as KnownSitesManifest;
  const bytes = readFileSync(join(folder, HASHES_FILE));
  if (manifest.format !== 1) throw new Error(`its format is ${manifest.format}, not 1`);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (sha256 !== manifest.sha256) throw new Error(`${HASHES_FILE} is not the file that its manifest names`);
  // Several times as fast as `Uint32Array.from` with a function.
  const hashes = new Uint32Array(bytes.length / 4);
  for (let i = 0; i < hashes.length; i++) hashes[i] = bytes.readUInt32LE(i * 4);
  return hashes;
}
