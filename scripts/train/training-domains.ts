import { parseDomainName } from '../../src/addresses/domain-name.ts';
import { readEmailSources } from '../build-data/read-sources.ts';
import { fetchPackage, type PinnedPackage } from './fetch-package.ts';

/** A list of domains that the model learns from. */
export interface TrainingList {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly isBurner: boolean;
  /** How much each of its names counts. */
  readonly weight: number;
  /** Registrable domains, sorted. Clean lists hold no name of a burner list. */
  readonly domains: readonly string[];
}

/**
 * Clean names of many kinds, read for training alone: hsd (a Handshake node) reserves the 90,000 most visited domains
 * of 2019; the name suggestion index knows the sites of companies, schools and authorities of the whole world.
 */
const CLEAN_PACKAGES: readonly (PinnedPackage & { readonly licence: string; readonly weight: number })[] = [
  {
    name: 'hsd',
    version: '8.0.0',
    integrity:
      'sha512-JKkgewGeHZZJbLm0zaFSy5kbNc2AVEEFoM7VHwNhRr5AYM9adUzRN815+e1HBfYTHKybtyD9HTKkr+jb5LRapw==',
    licence: 'MIT',
    weight: 0.6,
  },
  {
    name: 'name-suggestion-index',
    version: '8.0.20260918',
    integrity:
      'sha512-g09kxye3aswAETIa//gA56MjonmjcyXCzdIwlDhpBVAwLKXOUJA1QZL5eE4ZRstTFFx9I2o9eARONUXVC72SAw==',
    licence: 'BSD-3-Clause',
    weight: 2,
  },
  {
    name: 'simple-icons',
    version: '16.37.0',
    integrity:
      'sha512-8mCJIhpMYOL9g13GW59EiL3sVXJnTEKGCTZFaekl9UQ3Qo0SwVjnLaJ82QiaH8BKBdouEDzrHMXIWh8cBIy48A==',
    licence: 'CC0-1.0',
    weight: 2,
  },
  {
    name: '@duckduckgo/autoconsent',
    version: '16.23.0',
    integrity:
      'sha512-NTmDhASFf5pUsSwg2TyT9R75GYUcuYZXPyBnRcYgJgozg6RLeXXP9uH8ADxA364yQ2gJBMu83AN/D24Y4nkPKg==',
    licence: 'MPL-2.0',
    weight: 2,
  },
];

/** Reads every list, the clean ones through the package registry where they are not in the cache yet. */
export async function readTrainingLists(): Promise<readonly TrainingList[]> {
  const sources = readEmailSources();
  // Curated and recent lists look most like the burners of tomorrow; the wide ones hold the fashions of ten years.
  const burners = [
    listOf(sources.disposableEmailDomainsJs, true, 10),
    listOf(sources.fakefilter, true, 10),
    listOf(sources.mailchecker, true, 0.2),
    listOf(sources.disposableDomains, true, 0.5),
  ];
  const clean = [listOf(sources.swot, false, 2)];
  for (const pinned of CLEAN_PACKAGES) {
    const files = await fetchPackage(pinned);
    const entries = pinned.name === 'hsd' ? reservedNames(files) : sitesIn(files);
    clean.push(listOf({ ...pinned, entries }, false, pinned.weight));
  }
  const burned = new Set(burners.flatMap(({ domains }) => domains));
  return [
    ...burners,
    ...clean.map((list) => ({ ...list, domains: list.domains.filter((domain) => !burned.has(domain)) })),
  ];
}

interface Source {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly entries: readonly string[];
}

function listOf(
  { name, version, licence, entries }: Source,
  isBurner: boolean,
  weight: number,
): TrainingList {
  const domains = new Set<string>();
  for (const entry of entries) {
    const domain = parseDomainName(entry.trim().toLowerCase());
    if (domain?.registrable && domain.suffixKind !== 'unknown') domains.add(domain.registrable);
  }
  return { name, version, licence, isBurner, weight, domains: [...domains].sort() };
}

/** `names.json` maps the hash of a name to `["example.com.", flags]`. */
function reservedNames(files: ReadonlyMap<string, string>): string[] {
  const names = JSON.parse(files.get('lib/covenants/names.json') ?? '{}') as Record<string, [string, number]>;
  return Object.values(names).flatMap(([name]) =>
    typeof name === 'string' ? [name.replace(/\.$/, '')] : [],
  );
}

/** The hosts of all web addresses in the package's data. */
function sitesIn(files: ReadonlyMap<string, string>): string[] {
  const hosts = new Set<string>();
  for (const [path, text] of files) {
    if (!/\.(json|md|js)$/.test(path)) continue;
    for (const [, host] of text.matchAll(
      /https?:\\?\/\\?\/((?:[a-z0-9-]{1,63}\.)+[a-z]{2,18})(?=["'\s\\/:>)?,]|$)/gi,
    )) {
      if (host) hosts.add(host.toLowerCase());
    }
  }
  return [...hosts];
}
