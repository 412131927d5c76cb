import { join } from 'node:path';
import { ipAddressFromWords, parseCidr } from '../../src/addresses/ip-address.ts';
import type { Judge } from '../../src/assessment/judge.ts';
import type { ReasonCode } from '../../src/assessment/reasons.ts';
import type { NetworkClass, NetworkDatasets } from '../../src/datasets/datasets.ts';
import { readAsnRanges } from '../build-data/asn-networks.ts';
import { npmPackage } from '../build-data/npm-package.ts';
import { ACCESS_NETWORKS } from './access-networks.ts';
import { ASN_LIST, measureListedNetworks } from './listed-networks.ts';
import { type Measurement, measureFactor, type Sample, type Target } from './measurement.ts';
import type { NeutralAttempts } from './neutral-attempts.ts';
import { hasPublicData, readPublicLines } from './public-data.ts';

export const ACCESS_ROW = `${ACCESS_NETWORKS.size} access networks, addresses of`;
/** The number of announcements of each access network that are measured, spread evenly over all of them. */
const TRIED_PER_NETWORK = 200;
const PEOPLE: ReadonlySet<NetworkClass> = new Set(['access', 'mobile', 'business']);
/** A third of these addresses belongs to carriers of other carriers, which have no class: their customers differ. */
const MOST_UNCLASSIFIED: Target = { bound: 'at_most', share: 0.1 };

/** Addresses of clouds must be recognised without a feed, and no home may be taken for a cloud. */
export async function measureNetworks(
  judge: Judge,
  attempts: NeutralAttempts,
  network: NetworkDatasets,
): Promise<readonly Measurement[]> {
  const rows: Measurement[] = [];
  if (hasPublicData('cloud-ranges.txt')) {
    const samples = firstOfEach('cloud-ranges.txt', attempts);
    rows.push(
      await measureFactor(judge, samples, {
        set: 'cloud-ranges, without feeds',
        factor: 'ip_address',
        target: { bound: 'at_least', share: 0.9 },
        setApart: relaysApart,
      }),
      await measureFactor(judge, samples.flatMap(weighted), {
        set: 'cloud-ranges, IPv4, by addresses',
        factor: 'ip_address',
        target: null,
        setApart: relaysApart,
      }),
      measureTakenForPeople(samples, network),
    );
  }
  if (hasPublicData('vpn-addresses.txt')) {
    rows.push(
      await measureFactor(judge, firstOfEach('vpn-addresses.txt', attempts), {
        set: 'addresses of a VPN service, without feeds',
        factor: 'ip_address',
        target: { bound: 'at_least', share: 0.85 },
        setApart: relaysApart,
      }),
    );
  }
  if (hasPublicData(ASN_LIST)) rows.push(...measureListedNetworks(network));
  rows.push(
    await measureFactor(judge, accessSamples(attempts), {
      set: ACCESS_ROW,
      factor: 'ip_address',
      target: { bound: 'at_most', share: 0 },
    }),
    ...measureUnclassified(network),
  );
  return rows;
}

/** The list has exits of iCloud Private Relay too, and its users sit at home. */
function relaysApart(_: string, reason: ReasonCode): string | null {
  return reason === 'relay_ip' ? 'exits of privacy relays' : null;
}

/** The same range, as often as it has addresses. */
function weighted(sample: Sample): readonly Sample[] {
  const range = parseCidr(sample.name);
  if (range?.network.family !== 4) return [];
  return [{ ...sample, weight: 2 ** (32 - range.prefixLength) }];
}

/** The other wrong direction: addresses of clouds whose network has a class of people. */
function measureTakenForPeople(samples: readonly Sample[], network: NetworkDatasets): Measurement {
  const clouds = samples.filter(({ attempt }) => network.locate(attempt.ip).networkClass !== 'relay');
  const wrong = clouds.filter(({ attempt }) =>
    PEOPLE.has(network.locate(attempt.ip).networkClass ?? 'hosting'),
  );
  return {
    set: 'cloud-ranges, taken for networks of people',
    counted: 'access, mobile or business',
    population: clouds.length,
    hits: wrong.length,
    target: { bound: 'at_most', share: 0.01 },
    whole: null,
    reasons: {},
    apart: [],
    wrong: wrong.slice(0, 20).map(({ name }) => name),
  };
}

/** How much of what is announced has no class: of the ranges, and of the addresses. */
function measureUnclassified(network: NetworkDatasets): readonly Measurement[] {
  const file = join(npmPackage('@ip-location-db/asn').folder, 'asn-ipv4-num.csv');
  const count = { ranges: 0, unclassified: 0, addresses: 0, unclassifiedAddresses: 0 };
  for (const { from, to } of readAsnRanges(file)) {
    const size = Number(to) - Number(from) + 1;
    const isUnclassified = network.locate(ipAddressFromWords(4, [Number(from)])).networkClass === null;
    count.ranges += 1;
    count.addresses += size;
    if (isUnclassified) count.unclassified += 1;
    if (isUnclassified) count.unclassifiedAddresses += size;
  }
  const common = { whole: null, reasons: {}, apart: [], wrong: [] };
  return [
    {
      ...common,
      set: 'announced IPv4 ranges',
      counted: 'network without a class',
      target: null,
      population: count.ranges,
      hits: count.unclassified,
    },
    {
      ...common,
      set: 'announced IPv4 addresses',
      counted: 'network without a class',
      target: MOST_UNCLASSIFIED,
      population: count.addresses,
      hits: count.unclassifiedAddresses,
    },
  ];
}

/** The first address of each range of a set. */
export function firstOfEach(file: string, attempts: NeutralAttempts): readonly Sample[] {
  return readPublicLines(file).flatMap((range) => {
    const attempt = attempts.withIp(range.split('/')[0] ?? '');
    return attempt ? [{ name: range, attempt }] : [];
  });
}

/** The first and the last address of up to 200 announcements of each network, by the routing table itself. */
export function accessSamples(attempts: NeutralAttempts): readonly Sample[] {
  const file = join(npmPackage('@ip-location-db/asn').folder, 'asn-ipv4-num.csv');
  const ranges = new Map<number, { from: number; to: number }[]>();
  for (const { asn, from, to } of readAsnRanges(file)) {
    if (!ACCESS_NETWORKS.has(asn)) continue;
    const known = ranges.get(asn) ?? [];
    known.push({ from: Number(from), to: Number(to) });
    ranges.set(asn, known);
  }
  const samples: Sample[] = [];
  for (const [asn, name] of ACCESS_NETWORKS) {
    const announced = ranges.get(asn);
    if (!announced)
      throw new Error(`AS${asn} (${name}) announces nothing: take it off the list of networks.`);
    const step = Math.max(1, announced.length / TRIED_PER_NETWORK);
    for (let place = 0; place < announced.length; place += step) {
      const range = announced[Math.floor(place)];
      for (const word of range ? [range.from, range.to] : []) {
        const ip = ipAddressFromWords(4, [word]);
        samples.push({ name: `AS${asn} ${name} ${ip.text}`, attempt: attempts.attempt({ ip }) });
      }
    }
  }
  return samples;
}
