import { join } from 'node:path';
import { ipAddressFromWords } from '../../src/addresses/ip-address.ts';
import type { NetworkClass } from '../../src/datasets/datasets.ts';
import { openMmdb } from '../../src/datasets/mmdb.ts';
import { classifyNetwork } from '../../src/datasets/networks/classify-network.ts';
import { readAsnRanges } from '../build-data/asn-networks.ts';
import { npmPackage } from '../build-data/npm-package.ts';

/** What an autonomous system announces, as numbers that trees can compare. */
export interface NetworkShape {
  readonly asn: number;
  readonly organisation: string;
  /** By number or name; null when neither says what the network is for. */
  readonly networkClass: NetworkClass | null;
  /** In the order of `SHAPE_FACTS`. */
  readonly facts: readonly number[];
}

export const SHAPE_FACTS = [
  'ranges',
  'addresses',
  'meanSize',
  'largest',
  'smallShare',
  'countries',
  'mainCountryShare',
  'changesOfCountry',
  'blocks',
  'blocksPerRange',
  'besideHosting',
  'besideAccess',
  'besideBusiness',
  'besideUnknown',
  'besideSelf',
  'ipv6Ranges',
  'ipv6Share',
  'isIpv4Less',
  'number',
  'namesakes',
] as const;

interface Range {
  readonly asn: number;
  readonly from: number;
  readonly size: number;
  readonly country: string;
}

/** A range of at most this many addresses (a /22) is small. */
const SMALL = 1024;
/** How many ranges before and after one are its neighbours. */
const NEIGHBOURS = 2;

/** Reads the table of announcements and of countries that the build uses. */
export function readNetworkShapes(): readonly NetworkShape[] {
  const { folder } = npmPackage('@ip-location-db/asn');
  const ipv4 = readAsnRanges(join(folder, 'asn-ipv4-num.csv'));
  const ipv6 = readAsnRanges(join(folder, 'asn-ipv6-num.csv'));
  const names = new Map([...ipv4, ...ipv6].map(({ asn, organisation }) => [asn, organisation]));
  const classes = new Map([...names].map(([asn, name]) => [asn, classifyNetwork(asn, name)]));
  const countryOf = openCountries();
  const ranges = ipv4.map(
    ({ asn, from, to }): Range => ({
      asn,
      from: Number(from),
      size: Number(to) - Number(from) + 1,
      country: countryOf(Number(from)),
    }),
  );
  const ipv6Counts = countBy(ipv6.map(({ asn }) => asn));
  const namesakes = countBy([...names.values()]);
  const own = new Map<number, number[]>();
  for (const [place, { asn }] of ranges.entries()) own.set(asn, [...(own.get(asn) ?? []), place]);
  return [...names]
    .sort(([a], [b]) => a - b)
    .map(([asn, organisation]) => ({
      asn,
      organisation,
      networkClass: classes.get(asn) ?? null,
      facts: [
        ...announcements((own.get(asn) ?? []).flatMap((place) => ranges[place] ?? [])),
        ...neighbours(own.get(asn) ?? [], ranges, classes),
        ...versions(own.get(asn)?.length ?? 0, ipv6Counts.get(asn) ?? 0),
        asn,
        namesakes.get(organisation) ?? 1,
      ],
    }));
}

function announcements(ranges: readonly Range[]): number[] {
  const count = ranges.length;
  if (count === 0) return [0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
  const addresses = ranges.reduce((sum, { size }) => sum + size, 0);
  const countries = countBy(ranges.map(({ country }) => country));
  const blocks = new Set(ranges.map(({ from }) => from >>> 16)).size;
  const changes = ranges.filter(({ country }, i) => i > 0 && country !== ranges[i - 1]?.country).length;
  return [
    count,
    Math.log2(addresses),
    Math.log2(addresses / count),
    Math.log2(Math.max(...ranges.map(({ size }) => size))),
    ranges.filter(({ size }) => size <= SMALL).length / count,
    countries.size,
    Math.max(...countries.values()) / count,
    changes / count,
    blocks,
    blocks / count,
  ];
}

/** Hosters rent addresses beside those of other hosters; the address space of homes was given out in one piece. */
function neighbours(
  places: readonly number[],
  ranges: readonly Range[],
  classes: ReadonlyMap<number, NetworkClass | null>,
): number[] {
  let [hosting, access, business, unknown, self] = [0, 0, 0, 0, 0];
  for (const place of places) {
    for (let distance = -NEIGHBOURS; distance <= NEIGHBOURS; distance++) {
      const beside = distance === 0 ? undefined : ranges[place + distance];
      if (!beside) continue;
      const networkClass = classes.get(beside.asn) ?? null;
      if (beside.asn === ranges[place]?.asn) self++;
      else if (networkClass === 'hosting' || networkClass === 'vpn') hosting++;
      else if (networkClass === 'access' || networkClass === 'mobile') access++;
      else if (networkClass === null) unknown++;
      else business++;
    }
  }
  const others = Math.max(1, hosting + access + business + unknown);
  return [hosting / others, access / others, business / others, unknown / others, self / (others + self)];
}

function versions(ipv4: number, ipv6: number): number[] {
  return [ipv6, ipv6 / Math.max(1, ipv4 + ipv6), ipv4 === 0 ? 1 : 0];
}

function openCountries(): (address: number) => string {
  const { folder } = npmPackage('@ip-location-db/geo-whois-asn-country-mmdb');
  const database = openMmdb(join(folder, 'geo-whois-asn-country-ipv4.mmdb'));
  return (address) => {
    const { record } = database.find(ipAddressFromWords(4, [address]));
    return record && typeof record === 'object' && 'country_code' in record
      ? String(record.country_code)
      : '';
  };
}

function countBy<Key>(keys: readonly Key[]): ReadonlyMap<Key, number> {
  const counts = new Map<Key, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
