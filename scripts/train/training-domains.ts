import { parseDomainName } from '../../src/addresses/email-address.ts';
import { readEmailSources } from '../build-data/read-sources.ts';
import { fetchPackage } from './fetch-package.ts';
import {
  CLEAN_PACKAGES,
  EARLIER_BLOCKLISTS,
  EARLIER_BURNERS,
  type NameWorld,
  type TrainingPackage,
} from './training-packages.ts';

/** A list of domains that the model learns from. */
export interface TrainingList {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly world: NameWorld;
  /** Burner lists: whether people check each entry. The wide lists collect what others list. */
  readonly isCurated: boolean;
  /** How much each of its names counts. */
  readonly weight: number;
  /** Registrable domains, sorted. */
  readonly domains: readonly string[];
}

/** Reads every list, the clean ones through the package registry where they are not in the cache yet. */
export async function readTrainingLists(): Promise<readonly TrainingList[]> {
  const sources = readEmailSources();
  // Curated and recent lists look most like the burners of tomorrow; the wide ones hold the fashions of ten years.
  const lists = [
    listOf(sources.disposableEmailDomainsJs, { world: 'burners', isCurated: true, weight: 10 }),
    listOf(sources.fakefilter, { world: 'burners', isCurated: true, weight: 10 }),
    listOf(sources.mailchecker, { world: 'burners', isCurated: false, weight: 0.2 }),
    listOf(sources.disposableDomains, { world: 'burners', isCurated: false, weight: 0.5 }),
    listOf(sources.swot, { world: 'schools', isCurated: true, weight: 0.5 }),
  ];
  return [...lists, ...(await readPackages([...EARLIER_BURNERS, ...CLEAN_PACKAGES]))];
}

/** Reads earlier versions of `disposable-email-domains-js`, which the model does not learn from. */
export function readEarlierBlocklists(): Promise<readonly TrainingList[]> {
  return readPackages(EARLIER_BLOCKLISTS);
}

async function readPackages(packages: readonly TrainingPackage[]): Promise<readonly TrainingList[]> {
  const lists: TrainingList[] = [];
  for (const pinned of packages) {
    const entries = entriesOf(pinned.name, await fetchPackage(pinned));
    lists.push(listOf({ ...pinned, entries }, { ...pinned, isCurated: true }));
  }
  return lists;
}

interface Source {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly entries: readonly string[];
}

function listOf(
  { name, version, licence, entries }: Source,
  { world, isCurated, weight }: Pick<TrainingList, 'world' | 'isCurated' | 'weight'>,
): TrainingList {
  const domains = new Set<string>();
  for (const entry of entries) {
    const domain = parseDomainName(entry.trim().toLowerCase());
    if (domain?.registrable && domain.suffixKind !== 'unknown') domains.add(domain.registrable);
  }
  return { name, version, licence, world, isCurated, weight, domains: [...domains].sort() };
}

function entriesOf(packageName: string, files: ReadonlyMap<string, string>): string[] {
  if (packageName === 'hsd') return reservedNames(files);
  if (packageName === 'third-party-web') return observedHosts(files);
  if (packageName === 'disposable-email-domains-js') return blockedDomains(files);
  return packageName === 'fakefilter' ? fakeDomains(files) : sitesIn(files);
}

function blockedDomains(files: ReadonlyMap<string, string>): string[] {
  return JSON.parse(files.get('dist/dict/disposable_email_blocklist.json') ?? '[]') as string[];
}

function fakeDomains(files: ReadonlyMap<string, string>): string[] {
  return Object.keys((JSON.parse(files.get('json/data.json') ?? '{}') as { domains: object }).domains);
}

/** `domain-map.csv` has a host, the pattern of its owner and a category in each line. */
function observedHosts(files: ReadonlyMap<string, string>): string[] {
  const lines = (files.get('dist/domain-map.csv') ?? '').split('\n');
  return lines.map((line) => line.slice(0, line.indexOf(',')));
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
