import test, { type ExecutionContext } from 'ava';
import { type IpAddress, parseIpAddress } from '../../src/addresses/ip-address.ts';
import type { NetworkFacts } from '../../src/datasets/datasets.ts';
import { openNetworkFiles } from '../../src/datasets/network-files.ts';
import type { NetworkTable } from '../../src/datasets/network-table.ts';
import { writeMmdb } from '../helpers/mmdb-file.ts';

const NO_FILES = { asn_mmdb: null, country_mmdb: null, anonymous_ip_mmdb: null };
const BUILT_IN: NetworkFacts = {
  asn: 64_500,
  organisation: 'Example Access',
  networkClass: 'access',
  country: 'DE',
};
const table: NetworkTable = {
  locate: () => BUILT_IN,
  classOf: (asn) => (asn === 64_501 ? 'hosting' : null),
};

function ip(text: string): IpAddress {
  const address = parseIpAddress(text);
  if (!address) throw new Error(`not an address: ${text}`);
  return address;
}

function refineWith(t: ExecutionContext, record: Parameters<typeof writeMmdb>[2][string]): NetworkFacts {
  const asn_mmdb = writeMmdb(t, 'GeoLite2-ASN', { '203.0.113.0/24': record });
  return openNetworkFiles({ ...NO_FILES, asn_mmdb }, table).refine(ip('203.0.113.7'), BUILT_IN);
}

test('without files the built-in facts apply', (t) => {
  const files = openNetworkFiles(NO_FILES, table);
  t.is(files.refine(ip('203.0.113.7'), BUILT_IN), BUILT_IN);
  t.deepEqual(files.info, []);
  for (const set of Object.values(files.anonymous)) t.is(set.size, 0);
});

test('an ASN file replaces number and organisation, and the class that goes with them', (t) => {
  const cases = [
    [
      { autonomous_system_number: 64_501, autonomous_system_organization: 'Rack' },
      { asn: 64_501, organisation: 'Rack', networkClass: 'hosting' },
    ],
    [
      { autonomous_system_number: 64_502, autonomous_system_organization: 'Example Hosting' },
      { asn: 64_502, organisation: 'Example Hosting', networkClass: 'hosting' },
    ],
    [{ autonomous_system_number: 64_502 }, { asn: 64_502, organisation: null, networkClass: null }],
    [
      { autonomous_system_number: 64_500, autonomous_system_organization: 'Renamed' },
      { asn: 64_500, organisation: 'Renamed', networkClass: 'access' },
    ],
    [{ isp: 'Example ISP' }, { asn: 64_500, organisation: 'Example ISP', networkClass: 'access' }],
    [{ connection_type: 'Cellular' }, { networkClass: 'mobile' }],
    [{ connection_type: 'Corporate' }, { networkClass: 'business' }],
    [
      { connection_type: 'Cable/DSL', autonomous_system_number: 64_501 },
      { asn: 64_501, organisation: null, networkClass: 'access' },
    ],
    [{ autonomous_system_number: 'AS64501', autonomous_system_organization: '' }, {}],
  ] as const;
  for (const [record, expected] of cases) {
    t.deepEqual(refineWith(t, record), { ...BUILT_IN, ...expected }, JSON.stringify(record));
  }
});

test('an address that the file does not know keeps its built-in facts', (t) => {
  const asn_mmdb = writeMmdb(t, 'GeoLite2-ASN', { '203.0.113.0/24': { autonomous_system_number: 1 } });
  const country_mmdb = writeMmdb(t, 'GeoLite2-Country', {
    '203.0.113.0/24': { country: { iso_code: 'FR' } },
  });
  const files = openNetworkFiles({ ...NO_FILES, asn_mmdb, country_mmdb }, table);
  t.deepEqual(files.refine(ip('198.51.100.1'), BUILT_IN), BUILT_IN);
  t.deepEqual(files.refine(ip('2001:db8::1'), BUILT_IN), BUILT_IN);
});

test('a country file replaces the country, in the shapes of the publishers', (t) => {
  const country_mmdb = writeMmdb(t, 'GeoLite2-City', {
    '203.0.113.0/26': { country: { iso_code: 'FR' }, registered_country: { iso_code: 'US' } },
    '203.0.113.64/26': { registered_country: { iso_code: 'US' } },
    '203.0.113.128/26': { country_code: 'IT' },
    '203.0.113.192/26': { city: { name: 'Nowhere' } },
  });
  const files = openNetworkFiles({ ...NO_FILES, country_mmdb }, table);
  const countries = [1, 65, 129, 193].map((last) => files.refine(ip(`203.0.113.${last}`), BUILT_IN).country);
  t.deepEqual(countries, ['FR', 'US', 'IT', 'DE']);
});

test('a real country file from a package is understood', (t) => {
  const country_mmdb = new URL(
    '../../node_modules/@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb',
    import.meta.url,
  ).pathname;
  const files = openNetworkFiles({ ...NO_FILES, country_mmdb }, table);
  t.is(files.refine(ip('8.8.8.8'), BUILT_IN).country, 'US');
  t.is(files.info[0]?.date, '2026-06-17');
});

test('the flags of an Anonymous IP file become members of four sets, in any order of look-ups', (t) => {
  const anonymous_ip_mmdb = writeMmdb(t, 'GeoIP2-Anonymous-IP', {
    '203.0.113.1/32': { is_anonymous: true, is_tor_exit_node: true },
    '203.0.113.2/32': { is_anonymous: true, is_anonymous_vpn: true, is_hosting_provider: true },
    '203.0.113.3/32': { is_hosting_provider: true },
    '203.0.113.4/32': { is_public_proxy: true },
    '203.0.113.5/32': { is_residential_proxy: true },
    '203.0.113.6/32': { is_tor_exit_node: false },
    '2001:db8::/64': { is_anonymous_vpn: true },
  });
  const { anonymous, info } = openNetworkFiles({ ...NO_FILES, anonymous_ip_mmdb }, table);
  const setsWith = (text: string) => {
    const address = ip(text);
    return Object.entries(anonymous).flatMap(([name, set]) => (set.has(address) ? [name] : []));
  };
  t.deepEqual(setsWith('203.0.113.1'), ['tor']);
  t.deepEqual(setsWith('203.0.113.2'), ['vpn', 'datacenter']);
  t.deepEqual(setsWith('203.0.113.3'), ['datacenter']);
  t.deepEqual(setsWith('203.0.113.4'), ['proxy']);
  t.deepEqual(setsWith('203.0.113.5'), ['proxy']);
  t.deepEqual(setsWith('203.0.113.6'), []);
  t.deepEqual(setsWith('203.0.113.7'), []);
  t.deepEqual(setsWith('2001:db8::7'), ['vpn']);
  t.true(anonymous.tor.size > 0);
  t.is(info[0]?.name, 'anonymous_ip_mmdb');
});

test('two files that were mixed up are noticed', (t) => {
  const asn_mmdb = writeMmdb(t, 'GeoLite2-Country', { '203.0.113.0/24': { country: { iso_code: 'FR' } } });
  t.throws(() => openNetworkFiles({ ...NO_FILES, asn_mmdb }, table), {
    message: `datasets.asn_mmdb: ${asn_mmdb} is a GeoLite2-Country database. It belongs under country_mmdb.`,
  });
});

test('the description of a file has its name, its date and its revision', (t) => {
  const asn_mmdb = writeMmdb(t, 'GeoLite2-ASN', { '203.0.113.0/24': { autonomous_system_number: 1 } });
  const [info] = openNetworkFiles({ ...NO_FILES, asn_mmdb }, table).info;
  t.is(info?.name, 'asn_mmdb');
  t.is(info?.source, `GeoLite2-ASN, ${asn_mmdb}`);
  t.is(info?.date, '2026-06-01');
  t.regex(info?.revision ?? '', /^[0-9a-f]{12}$/);
});
