import test from 'ava';
import { createRangeMapBuilder } from '../../../scripts/build-data/asn-range-map.ts';
import { buildCountries } from '../../../scripts/build-data/country-ranges.ts';
import { npmPackage } from '../../../scripts/build-data/npm-package.ts';
import { ipAddressFromWords } from '../../../src/addresses/ip-address.ts';
import { openMmdb } from '../../../src/datasets/mmdb.ts';
import { loadNetworkTable, packNetworks } from '../../../src/datasets/network-table.ts';

const built = buildCountries();
const noNetworks = packNetworks({
  asns: new Uint32Array(),
  organisations: [],
  classes: [],
  ranges: createRangeMapBuilder(Uint32Array).build(),
});
const table = loadNetworkTable(noNetworks, built.files['countries.bin'] ?? new Uint8Array());

test('the ranges say the same as the database they were walked from', (t) => {
  const { folder } = npmPackage('@ip-location-db/geo-whois-asn-country-mmdb');
  const database = openMmdb(`${folder}/geo-whois-asn-country.mmdb`);
  // A fixed sequence of addresses (Numerical Recipes' generator), half of either family.
  let state = 1;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state;
  };
  let known = 0;
  for (let i = 0; i < 20_000; i++) {
    const ip =
      i % 2 === 0
        ? ipAddressFromWords(4, [next()])
        : ipAddressFromWords(6, [(0x20000000 | (next() >>> 6)) >>> 0, next() & 0xffff0000, 0, 1]);
    const record = database.find(ip).record as { country_code?: string } | null;
    const expected = record?.country_code ?? null;
    if (table.locate(ip).country !== expected) t.fail(`${ip.text} is in ${expected}`);
    if (expected !== null) known++;
  }
  t.true(known > 5_000, `${known} of the addresses were in a country`);
});

test('the set is compact and names its source and licence', (t) => {
  t.true((built.files['countries.bin']?.byteLength ?? 0) < 5_000_000);
  t.deepEqual(
    built.sources.map(({ name, licence }) => [name, licence]),
    [['@ip-location-db/geo-whois-asn-country-mmdb', 'CC-BY-4.0']],
  );
  t.true(built.entries > 500_000);
});
