import { fileURLToPath } from 'node:url';
import test from 'ava';
import { buildNetworks, readAsnRanges } from '../../../scripts/build-data/asn-networks.ts';
import { createRangeMapBuilder } from '../../../scripts/build-data/asn-range-map.ts';
import { readHostingNetworks } from '../../../scripts/build-data/hosting-networks.ts';
import { readPeopleNetworks } from '../../../scripts/build-data/people-networks.ts';
import { parseCidr, parseIpAddress } from '../../../src/addresses/ip-address.ts';
import type { NetworkFacts } from '../../../src/datasets/datasets.ts';
import { loadNetworkTable, packCountries } from '../../../src/datasets/network-table.ts';
import { KNOWN_NETWORKS } from '../../../src/datasets/networks/known-networks.ts';
import { sharedLines } from '../../helpers/shared-data.ts';

const built = buildNetworks();
const source = new URL('../../../node_modules/@ip-location-db/asn/', import.meta.url);
const noCountries = packCountries({ countries: [], ranges: createRangeMapBuilder(Uint8Array).build() });
const table = loadNetworkTable(built.files['networks.bin'] ?? new Uint8Array(), noCountries);

function locate(text: string): NetworkFacts {
  const ip = parseIpAddress(text);
  if (!ip) throw new Error(`not an address: ${text}`);
  return table.locate(ip);
}

/** Large access networks and carriers: people sit here, and none may be taken for hosting or VPN. */
const PEOPLE: Readonly<Record<string, readonly number[]>> = {
  'United States': [
    7922, 20115, 11427, 10796, 20001, 7018, 701, 22773, 209, 7029, 5650, 6128, 21928, 6167, 22394, 20057,
    16591, 14593, 11404, 30036,
  ],
  Canada: [577, 812, 6327, 852, 5769],
  Germany: [3320, 3209, 31334, 6805, 8881, 8422],
  France: [3215, 12322, 15557, 5410, 51207],
  'United Kingdom': [2856, 5607, 5089, 13285, 1273, 5378, 206067],
  Italy: [3269, 1267, 30722, 12874],
  Spain: [3352, 12430, 6739, 12479],
  'Other Europe': [
    1136, 33915, 5432, 6848, 3303, 6730, 8447, 3301, 1257, 3292, 2119, 16086, 5617, 12741, 8708, 6799, 3243,
    2860, 5466, 5483, 6855, 5610,
  ],
  'Russia and Ukraine': [12389, 8402, 8359, 31133, 42610, 15895, 6849],
  'Turkey and the Middle East': [
    9121, 47331, 16135, 34984, 25019, 5384, 15802, 8551, 1680, 12400, 44244, 197207, 58224,
  ],
  'China and Taiwan': [4134, 4812, 4837, 4808, 9808, 56041, 3462, 9924],
  'Japan and Korea': [4713, 2516, 17676, 9605, 2518, 2527, 17511, 4766, 9318, 17858, 9644],
  India: [55836, 24560, 45609, 9829, 45271, 9498],
  'South-East Asia': [7552, 45899, 7713, 23693, 4761, 9299, 4788, 9534, 4818, 17552, 45758, 4657, 9506],
  Oceania: [1221, 4804, 7545, 133612, 4739, 4771, 9500, 9790],
  'Latin America': [
    8151, 13999, 28573, 26599, 27699, 26615, 18881, 7303, 22927, 10620, 3816, 7418, 6147, 6057, 8048, 11830,
  ],
  Africa: [8452, 36992, 36947, 6713, 5713, 37457, 29975, 16637, 29465, 33771, 37168, 36903],
};

const MOBILE = [
  21928, 6167, 22394, 20057, 55836, 45609, 45271, 5378, 206067, 51207, 12430, 47377, 37492, 29465, 16637,
  36974, 16135, 9605, 9644, 23693, 33771, 29975, 31133, 8359, 15895, 44034, 9141, 12912, 197207, 9808, 24158,
  133481,
];
const EDUCATION = [
  680, 786, 11537, 3, 2200, 137, 559, 1103, 2611, 2852, 766, 1653, 7575, 2907, 4538, 1659, 1916, 2018, 378,
  36375, 32, 553, 239, 237, 2152,
];
const HOSTING = [
  16509, 14618, 8075, 15169, 396982, 13335, 20940, 54113, 31898, 14061, 24940, 16276, 12876, 51167, 8560,
  20473, 63949, 9009, 60781, 47583, 36352, 53667, 45102, 132203, 55990, 197540, 49505, 29802, 33070, 203020,
  62240,
];

test('no large access network or carrier is taken for hosting or a VPN', (t) => {
  const all = Object.values(PEOPLE).flat();
  t.true(new Set(all).size >= 40);
  const flagged = all.filter((asn) =>
    ['hosting', 'vpn', 'business', 'relay'].includes(table.classOf(asn) ?? ''),
  );
  t.deepEqual(flagged, []);
  const unknown = all.filter((asn) => table.classOf(asn) === null);
  t.deepEqual(unknown, []);
});

for (const [networkClass, asns] of [
  ['mobile', MOBILE],
  ['education', EDUCATION],
  ['hosting', HOSTING],
] as const) {
  test(`famous networks of class ${networkClass} are told so`, (t) => {
    t.deepEqual(
      asns.filter((asn) => table.classOf(asn) !== networkClass),
      [],
    );
  });
}

test('networks that only their announcements show are hosting', (t) => {
  const found = readHostingNetworks();
  t.true(found.size > 1_000 && found.size < 5_000, `${found.size}`);
  t.deepEqual(
    [...found].filter((asn) => table.classOf(asn) !== 'hosting'),
    [],
  );
  t.is(table.classOf(15_830), 'hosting', 'Equinix, whose name says nothing');
});

test('networks that look like those of people have their use', (t) => {
  const found = readPeopleNetworks();
  t.true(found.size > 2_000 && found.size < 15_000, `${found.size}`);
  t.deepEqual(
    [...found].filter(([asn, use]) => table.classOf(asn) !== use),
    [],
  );
});

test('every number of the written table is announced', (t) => {
  const numbers = [...KNOWN_NETWORKS.keys()];
  const files = ['asn-ipv4-num.csv', 'asn-ipv6-num.csv'].map((name) => fileURLToPath(new URL(name, source)));
  const announced = new Set(files.flatMap((file) => readAsnRanges(file).map(({ asn }) => asn)));
  t.deepEqual(
    numbers.filter((asn) => !announced.has(asn)),
    [],
  );
});

test('addresses of both families lead to their organisation', (t) => {
  const cases = [
    ['8.8.8.8', 15_169, 'Google LLC'],
    ['88.198.0.1', 24_940, 'Hetzner Online GmbH'],
    ['2a01:4f8::1', 24_940, 'Hetzner Online GmbH'],
    ['2001:4860:4860::8888', 15_169, 'Google LLC'],
    ['18.0.0.1', 3, 'Massachusetts Institute of Technology'],
  ] as const;
  for (const [ip, asn, organisation] of cases) {
    const facts = locate(ip);
    t.deepEqual([facts.asn, facts.organisation], [asn, organisation], ip);
  }
});

test('addresses that nobody announces lead nowhere', (t) => {
  for (const ip of [
    '0.0.0.0',
    '10.0.0.1',
    '127.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fd00::1',
    '3fff::1',
    'ffff::',
  ]) {
    t.deepEqual(locate(ip), { asn: null, organisation: null, networkClass: null, country: null }, ip);
  }
});

test('the set names its source, licence and size', (t) => {
  t.is(built.sources[0]?.licence, 'CC-BY-4.0');
  t.true(built.entries > 400_000);
  t.true((built.files['networks.bin']?.byteLength ?? 0) < 10_000_000);
});

test('nine of ten networks of cloud providers are hosting without any feed', (t) => {
  const { content: networks } = sharedLines('cloud-ranges.txt');
  const classes = networks.map((text) => {
    const cidr = parseCidr(text);
    return cidr ? table.locate(cidr.network).networkClass : null;
  });
  const share = classes.filter((one) => one === 'hosting' || one === 'vpn').length / networks.length;
  t.log(`${(100 * share).toFixed(1)} % of ${networks.length} networks`);
  t.true(share >= 0.9, `${share}`);
});
