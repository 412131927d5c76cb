import test from 'ava';
import { createRangeMapBuilder } from '../../scripts/build-data/asn-range-map.ts';
import { loadNetworkTable, packCountries, packNetworks } from '../../src/datasets/network-table.ts';
import { ipOf } from '../helpers/network-attempts.ts';

const networks = (() => {
  const ranges = createRangeMapBuilder(Uint32Array);
  ranges.addIpv4(0x01000000, 0x010000ff, 2);
  ranges.addIpv4(0x01000100, 0x010001ff, 1);
  ranges.addIpv4(0xcb007100, 0xcb0071ff, 3);
  ranges.addIpv6(0x2001_0db8_0000_0000n, 0x2001_0db8_0000_00ffn, 3);
  return packNetworks({
    asns: Uint32Array.of(10, 20, 4_200_000_000),
    organisations: ['', 'Universität Example', 'Example GmbH'],
    classes: [null, 'education', 'relay'],
    ranges: ranges.build(),
  });
})();

const countries = (() => {
  const ranges = createRangeMapBuilder(Uint8Array);
  ranges.addIpv4(0x01000080, 0x010000ff, 1);
  ranges.addIpv6(0x2001_0db8_0000_0000n, 0x2001_0db8_ffff_ffffn, 2);
  return packCountries({ countries: ['DE', 'XK'], ranges: ranges.build() });
})();

const table = loadNetworkTable(networks, countries);

test('an address leads to number, organisation, class and country, each as far as known', (t) => {
  const nothing = { asn: null, organisation: null, networkClass: null };
  const university = { asn: 20, organisation: 'Universität Example', networkClass: 'education' };
  const company = { asn: 4_200_000_000, organisation: 'Example GmbH', networkClass: 'relay' };
  const unnamed = { asn: 10, organisation: null, networkClass: null };
  const cases = [
    ['0.255.255.255', { ...nothing, country: null }],
    ['1.0.0.0', { ...university, country: null }],
    ['1.0.0.127', { ...university, country: null }],
    ['1.0.0.128', { ...university, country: 'DE' }],
    ['1.0.0.255', { ...university, country: 'DE' }],
    ['1.0.1.0', { ...unnamed, country: null }],
    ['1.0.1.255', { ...unnamed, country: null }],
    ['1.0.2.0', { ...nothing, country: null }],
    ['203.0.113.255', { ...company, country: null }],
    ['255.255.255.255', { ...nothing, country: null }],
    ['2001:db7:ffff:ffff:ffff::', { ...nothing, country: null }],
    ['2001:db8::', { ...company, country: 'XK' }],
    ['2001:db8:0:ff:ffff::', { ...company, country: 'XK' }],
    ['2001:db8:0:100::', { ...nothing, country: 'XK' }],
    ['2001:db9::', { ...nothing, country: null }],
  ] as const;
  for (const [ip, facts] of cases) t.deepEqual(table.locate(ipOf(ip)), facts, ip);
});

test('the class of a number is found, known or not', (t) => {
  const cases = [
    [10, null],
    [20, 'education'],
    [4_200_000_000, 'relay'],
    [0, null],
    [15, null],
    [4_294_967_295, null],
  ] as const;
  for (const [asn, networkClass] of cases) t.is(table.classOf(asn), networkClass, String(asn));
});

test('a file that is damaged or of another kind is refused', (t) => {
  t.throws(() => loadNetworkTable(countries, networks), { message: 'is not a data file of this version' });
  t.throws(() => loadNetworkTable(networks.subarray(0, networks.length - 4), countries));
  t.throws(() => loadNetworkTable(new Uint8Array(), countries));
  const beyond = createRangeMapBuilder(Uint8Array);
  beyond.addIpv4(0, 9, 3);
  const impossible = packCountries({ countries: ['DE', 'XK'], ranges: beyond.build() });
  t.throws(() => loadNetworkTable(networks, impossible), { message: 'holds ranges with impossible values' });
});
