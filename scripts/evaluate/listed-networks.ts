import { join } from 'node:path';
import { type IpAddress, ipAddressFromWords } from '../../src/addresses/ip-address.ts';
import type { NetworkClass, NetworkDatasets } from '../../src/datasets/datasets.ts';
import { readAsnRanges } from '../build-data/asn-networks.ts';
import { npmPackage } from '../build-data/npm-package.ts';
import type { Measurement, Target } from './measurement.ts';
import { readPublicLines } from './public-data.ts';

/** The public list of networks of data centres: one number on each line. */
export const ASN_LIST = 'hosting-asns.txt';

const DATA_CENTRES: ReadonlySet<NetworkClass> = new Set(['hosting', 'vpn']);
const WANTED: Target = { bound: 'at_least', share: 0.85 };
const MAX_WRONG = 20;

/** Whether the network that announces an address is on the list of data centres. */
export function createListedNetworkTest(
  network: NetworkDatasets,
  lines: readonly string[] = readPublicLines(ASN_LIST),
): (ip: IpAddress) => boolean {
  const numbers = new Set(lines.map(numberOf));
  return (ip) => numbers.has(network.locate(ip).asn ?? 0);
}

/**
 * What the networks of that list announce in IPv4, by range and by address: how much of it has a class of data centres
 * here. Clouds are one network among many on the list, so the ranges say more about small hosters.
 */
export function measureListedNetworks(network: NetworkDatasets): readonly Measurement[] {
  const numbers = new Set(readPublicLines(ASN_LIST).map(numberOf));
  const file = join(npmPackage('@ip-location-db/asn').folder, 'asn-ipv4-num.csv');
  const missed = new Map<string, number>();
  const count = { ranges: 0, known: 0, addresses: 0, knownAddresses: 0 };
  for (const { from, to, asn, organisation } of readAsnRanges(file)) {
    if (!numbers.has(asn)) continue;
    const size = Number(to) - Number(from) + 1;
    const { networkClass } = network.locate(ipAddressFromWords(4, [Number(from)]));
    const isKnown = networkClass !== null && DATA_CENTRES.has(networkClass);
    count.ranges += 1;
    count.addresses += size;
    if (isKnown) count.known += 1;
    if (isKnown) count.knownAddresses += size;
    const name = `AS${asn} ${organisation} (${networkClass ?? 'no class'})`;
    if (!isKnown) missed.set(name, (missed.get(name) ?? 0) + 1);
  }
  const largest = [...missed].sort(([, a], [, b]) => b - a).slice(0, MAX_WRONG);
  const wrong = largest.map(([name, ranges]) => `${name}: ${ranges} ranges`);
  const common = { counted: 'hosting or vpn', target: WANTED, whole: null, reasons: {}, apart: [] };
  const set = 'networks of a public list of data centres';
  return [
    { ...common, set: `${set}, IPv4 ranges`, population: count.ranges, hits: count.known, wrong },
    {
      ...common,
      set: `${set}, IPv4 addresses`,
      population: count.addresses,
      hits: count.knownAddresses,
      wrong: [],
    },
  ];
}

/** @throws {Error} when the line is not `AS` and a number. */
function numberOf(line: string): number {
  const number = Number(/^AS(\d{1,10})$/i.exec(line)?.[1] ?? 0);
  if (number === 0) throw new Error(`${ASN_LIST} has a line that is not the number of a network: ${line}`);
  return number;
}
