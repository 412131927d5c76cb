import { join } from 'node:path';
import { type IpAddress, ipAddressFromWords } from '../../src/addresses/ip-address.ts';
import { type Mmdb, openMmdb } from '../../src/datasets/mmdb.ts';
import { packCountries } from '../../src/datasets/network-table.ts';
import { createRangeMapBuilder } from './asn-range-map.ts';
import type { BuiltSet } from './built-set.ts';
import { npmPackage } from './npm-package.ts';

/** Global unicast addresses are 2000::/3; other addresses have no country (RFC 4291 section 2.4). */
const IPV6_UNICAST = { from: 0x2000_0000_0000_0000n, to: 0x3fff_ffff_ffff_ffffn };

/**
 * The country in which an address is registered. The build reads the database once and writes ranges: they need a tenth of
 * its memory, and a look-up decodes no record.
 */
export function buildCountries(): BuiltSet {
  const source = npmPackage('@ip-location-db/geo-whois-asn-country-mmdb');
  const file = (family: string) => openMmdb(join(source.folder, `geo-whois-asn-country-${family}.mmdb`));
  const ipv4 = file('ipv4');
  const ipv6 = file('ipv6');
  const countries = new Map<string, number>();
  const placeOf = (country: string | null): number => {
    if (country === null) return 0;
    const place = countries.get(country) ?? countries.size + 1;
    countries.set(country, place);
    return place;
  };
  const builder = createRangeMapBuilder(Uint8Array);
  let networks = 0;
  for (let at = 0; at <= 0xffffffff; ) {
    const { country, prefixLength } = countryAt(ipv4, ipAddressFromWords(4, [at]));
    const size = 2 ** (32 - prefixLength);
    if (country !== null) {
      builder.addIpv4(at, at + size - 1, placeOf(country));
      networks++;
    }
    at += size;
  }
  for (let at = IPV6_UNICAST.from; at <= IPV6_UNICAST.to; ) {
    const { country, prefixLength } = countryAt(ipv6, siteAddress(at));
    const size = 1n << BigInt(Math.max(0, 64 - prefixLength));
    if (country !== null) {
      builder.addIpv6(at, at + size - 1n, placeOf(country));
      networks++;
    }
    at += size;
  }
  if (countries.size > 0xff) throw new Error(`${source.name} names ${countries.size} countries`);
  return {
    name: 'countries',
    files: { 'countries.bin': packCountries({ countries: [...countries.keys()], ranges: builder.build() }) },
    sources: [{ name: source.name, version: source.version, licence: 'CC-BY-4.0', count: networks }],
    entries: networks,
  };
}

/** The first address of a /64. Its text is not canonical: half a million conversions would take long. */
function siteAddress(upper: bigint): IpAddress {
  const words = [Number(upper >> 32n), Number(upper & 0xffffffffn), 0, 0];
  const groups = words
    .slice(0, 2)
    .map((word) => `${(word >>> 16).toString(16)}:${(word & 0xffff).toString(16)}`);
  return { family: 6, text: `${groups.join(':')}::`, words };
}

function countryAt(database: Mmdb, ip: IpAddress): { country: string | null; prefixLength: number } {
  const { record, prefixLength } = database.find(ip);
  const country =
    record && typeof record === 'object' && 'country_code' in record ? record.country_code : null;
  return {
    country: typeof country === 'string' && /^[A-Z]{2}$/.test(country) ? country : null,
    prefixLength,
  };
}
