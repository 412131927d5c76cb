import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packNetworks } from '../../src/datasets/network-table.ts';
import { classifyNetwork } from '../../src/datasets/networks/classify-network.ts';
import { createRangeMapBuilder } from './asn-range-map.ts';
import type { BuiltSet } from './built-set.ts';
import { readHostingNetworks } from './hosting-networks.ts';
import { npmPackage } from './npm-package.ts';
import { readPeopleNetworks } from './people-networks.ts';

/** One line of the source: a range with its last address, and the network that announces it. */
interface AsnRange {
  readonly from: string;
  readonly to: string;
  readonly asn: number;
  readonly organisation: string;
}

/**
 * The autonomous system that announces an address, its organisation and its class. Announcements narrower than /64 (183 of
 * 103,000 in IPv6) are left out where they overlap the announcement before them.
 */
export function buildNetworks(): BuiltSet {
  const source = npmPackage('@ip-location-db/asn');
  const ipv4 = readAsnRanges(join(source.folder, 'asn-ipv4-num.csv'));
  const ipv6 = readAsnRanges(join(source.folder, 'asn-ipv6-num.csv'));
  const organisations = new Map([...ipv4, ...ipv6].map(({ asn, organisation }) => [asn, organisation]));
  const systems = [...organisations].sort(([a], [b]) => a - b);
  const places = new Map(systems.map(([asn], i) => [asn, i + 1]));
  const hosting = readHostingNetworks();
  const people = readPeopleNetworks();
  const builder = createRangeMapBuilder(Uint32Array);
  for (const { from, to, asn } of ipv4) builder.addIpv4(Number(from), Number(to), places.get(asn) ?? 0);
  for (const { from, to, asn } of ipv6) {
    builder.addIpv6(BigInt(from) >> 64n, BigInt(to) >> 64n, places.get(asn) ?? 0);
  }
  const content = packNetworks({
    asns: Uint32Array.from(systems, ([asn]) => asn),
    organisations: systems.map(([, organisation]) => organisation),
    classes: systems.map(
      ([asn, organisation]) =>
        classifyNetwork(asn, organisation) ?? (hosting.has(asn) ? 'hosting' : (people.get(asn) ?? null)),
    ),
    ranges: builder.build(),
  });
  const count = ipv4.length + ipv6.length;
  return {
    name: 'networks',
    files: { 'networks.bin': content },
    sources: [{ name: source.name, version: source.version, licence: 'CC-BY-4.0', count }],
    entries: count,
  };
}

/** Lines of `from,to,asn,organisation`, addresses as decimal numbers, the organisation quoted where it must be. */
export function readAsnRanges(file: string): AsnRange[] {
  const ranges: AsnRange[] = [];
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line === '') continue;
    const [, from, to, asn, name] = /^(\d+),(\d+),(\d+),(.*?)\r?$/.exec(line) ?? [];
    if (from === undefined || to === undefined || name === undefined)
      throw new Error(`${file} holds a line of another form: ${line}`);
    ranges.push({ from, to, asn: Number(asn), organisation: unquoted(name) });
  }
  return ranges;
}

function unquoted(field: string): string {
  return field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field;
}
