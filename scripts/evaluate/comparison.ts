import { isbot } from 'isbot';
import { parseDomainName } from '../../src/addresses/email-address.ts';
import type { NetworkDatasets } from '../../src/datasets/datasets.ts';
import { readEmailSources } from '../build-data/read-sources.ts';
import { readAuthorDomains } from './author-domains.ts';
import { ASN_LIST, createListedNetworkTest } from './listed-networks.ts';
import { type Measurement, type Sample, shareOf } from './measurement.ts';
import { ACCESS_ROW, accessSamples, firstOfEach } from './network-rows.ts';
import type { NeutralAttempts } from './neutral-attempts.ts';
import {
  hasPublicData,
  isDisguised,
  readBrowserUserAgents,
  readPublicLines,
  readVisitorUserAgents,
  whyNoBrowser,
} from './public-data.ts';

/** What another tool finds in the samples of one row, beside what Gatekeeper finds in them. */
export interface Comparison {
  readonly set: string;
  readonly wanted: 'many' | 'few';
  readonly other: string;
  readonly ours: Found;
  readonly theirs: Found;
}

export interface Found {
  readonly hits: number;
  readonly population: number;
}

const LISTS = 'four npm lists';
const ISBOT = '`isbot`';
const ASNS = 'a list of networks';

/** What the addresses of the samples are looked up in. */
export interface ComparedNetworks {
  readonly network: NetworkDatasets;
  readonly attempts: NeutralAttempts;
}

/** Compares with the lists and the library that people use alone, on the samples of the rows of the same run. */
export function compare(
  measurements: readonly Measurement[],
  { network, attempts }: ComparedNetworks,
): readonly Comparison[] {
  let listed: ((domain: string) => boolean) | null = null;
  const countListed = (domains: readonly string[]) => {
    listed ??= listedDomains();
    return countOf(domains, listed);
  };
  const countBots = (userAgents: readonly string[]) => countOf(userAgents, isbot);
  const rows: Comparison[] = [];
  const add = (row: string, find: () => Found, rest: Pick<Comparison, 'set' | 'wanted' | 'other'>) => {
    const ours = measurements.find(({ set }) => set === row);
    if (ours) rows.push({ ...rest, theirs: find(), ours });
  };
  for (const [file, set, wanted] of [
    ['disposable-domains-live', 'disposable domains with live mail', 'many'],
    ['university-domains', 'university domains', 'few'],
    ['us-government-domains', '.gov domains', 'few'],
    ['top-domains', 'most linked domains', 'few'],
  ] as const) {
    if (!hasPublicData(`${file}.txt`)) continue;
    const readable = () => readPublicLines(`${file}.txt`).filter((name) => parseDomainName(name) !== null);
    add(file, () => countListed(readable()), { set, wanted, other: LISTS });
  }
  const authors = { set: 'domains of package authors', wanted: 'few', other: LISTS } as const;
  add('domains of package authors', () => countListed(readAuthorDomains()), authors);
  if (hasPublicData('crawler-user-agents.txt')) {
    const crawlers = () => countBots(readPublicLines('crawler-user-agents.txt'));
    add('crawler-user-agents', crawlers, { set: 'crawlers', wanted: 'many', other: ISBOT });
  }
  if (hasPublicData('browser-user-agents.yml')) {
    const browsers = () => readBrowserUserAgents().filter((userAgent) => whyNoBrowser(userAgent) === null);
    const set = 'browsers and applications of thirty years; ours: the current ones';
    add('browser-user-agents', () => countBots(browsers()), { set, wanted: 'few', other: ISBOT });
  }
  const visitors = () => readVisitorUserAgents().filter((visitor) => !isDisguised(visitor));
  const honest = () => countBots(visitors().map(({ userAgent }) => userAgent));
  add('user-agents, honest visitors', honest, { set: 'visitors of one day', wanted: 'few', other: ISBOT });
  if (!hasPublicData(ASN_LIST)) return rows;
  const isListed = createListedNetworkTest(network);
  const countNetworks = (samples: readonly Sample[]) => {
    const judged = samples.filter(({ attempt }) => network.locate(attempt.ip).networkClass !== 'relay');
    return { hits: judged.filter(({ attempt }) => isListed(attempt.ip)).length, population: judged.length };
  };
  for (const [row, file, set] of [
    ['cloud-ranges, without feeds', 'cloud-ranges.txt', 'ranges of cloud providers'],
    ['addresses of a VPN service, without feeds', 'vpn-addresses.txt', 'addresses of a VPN service'],
  ] as const) {
    if (!hasPublicData(file)) continue;
    add(row, () => countNetworks(firstOfEach(file, attempts)), { set, wanted: 'many', other: ASNS });
  }
  const homes = () => countNetworks(accessSamples(attempts));
  add(ACCESS_ROW, homes, { set: 'addresses of access networks', wanted: 'few', other: ASNS });
  return rows;
}

/** Whether one of the lists names the domain, or a domain above it. */
function listedDomains(): (domain: string) => boolean {
  const { disposableEmailDomainsJs, fakefilter, mailchecker, disposableDomains } = readEmailSources();
  const lists = [disposableEmailDomainsJs, fakefilter, mailchecker, disposableDomains];
  const names = new Set(lists.flatMap(({ entries }) => entries));
  return (domain) => {
    const labels = domain.toLowerCase().split('.');
    return labels.some((_, i) => i < labels.length - 1 && names.has(labels.slice(i).join('.')));
  };
}

function countOf(samples: readonly string[], isHit: (sample: string) => boolean): Found {
  return { hits: samples.filter((sample) => isHit(sample)).length, population: samples.length };
}

/** Wilson's interval of 95 % for a share. */
export function confidence({ hits, population }: Found): readonly [low: number, high: number] {
  if (population === 0) return [0, 1];
  const z = 1.959964;
  const share = hits / population;
  const middle = share + (z * z) / (2 * population);
  const half = z * Math.sqrt((share * (1 - share)) / population + (z * z) / (4 * population * population));
  const scale = 1 + (z * z) / population;
  return [Math.max(0, (middle - half) / scale), Math.min(1, (middle + half) / scale)];
}

export function toComparisonPage(rows: readonly Comparison[], day: string): string {
  const lines = rows.map(({ set, wanted, other, ours, theirs }) =>
    ['', set, wanted, ours.population, cell(ours), other, cell(theirs), ''].join(' | ').trim(),
  );
  return `<!-- Generated by npm run evaluate -- --comparison -->
# Comparison with lists and libraries alone

Many projects check signups with one package: a list of throwaway domains, or a library that knows bots. This page shows what
these find in the samples of [detection quality](detection.md), and what one factor of Gatekeeper finds in the same samples. The
run was on ${day}, without DNS and feeds. In brackets: the interval that holds the true share with 95 % confidence, if the set
is a random sample. It says nothing about how well the set represents the world.

| data set | wanted | samples | Gatekeeper | compared with | finds |
|---|---|---:|---:|---|---:|
${lines.join('\n')}

"Gatekeeper" is the share whose factor (email, user agent or address) is at medium or high risk. "Four npm lists" is the union of
\`disposable-email-domains-js\`, \`fakefilter\`, \`mailchecker\` and \`disposable-domains\`: a domain is found when a list names it or a
domain above it. These are the same lists that Gatekeeper is built from. What it adds is to tell certain entries from doubtful
ones, to spare known sites, and to judge names that no list has. \`isbot\` is the library that Gatekeeper uses too; it adds tools,
headless browsers and impossible versions.

"A list of networks" is \`input/datacenter/ASN.txt\` of X4BNet/lists_vpn (MIT), a public list of networks of data centres and some
VPN services: an address is found when its network is on the list. Some numbers in Gatekeeper's table were chosen while reading
what this list has. No npm package was found that contains such a list and names its licence.
`;
}

function cell(found: Found): string {
  const [low, high] = confidence(found);
  return `${percent(shareOf(found))} (${percent(low)} to ${percent(high)})`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2).replace(/\.?0+$/, '')} %`;
}
