import type { IpAddress } from '../addresses/ip-address.ts';
import type { NetworkClass, NetworkFacts } from './datasets.ts';
import { checkRangeMap, type IpRangeMap, valueAt } from './ip-range-map.ts';
import { asWords, packSections, unpackSections } from './section-file.ts';
import { countUpTo } from './word-buffer.ts';

/** The built-in data about networks: the operator, the use and the country of an IP address. */
export interface NetworkTable {
  locate(ip: IpAddress): NetworkFacts;
  /** Null when nothing is known about the autonomous system. */
  classOf(asn: number): NetworkClass | null;
}

/** Autonomous systems in ascending order, and their ranges; the value of a range is the index of its system, from 1. */
export interface NetworkSections {
  readonly asns: Uint32Array;
  readonly organisations: readonly string[];
  readonly classes: readonly (NetworkClass | null)[];
  readonly ranges: IpRangeMap;
}

/** The value of a range is the index of its country, from 1. */
export interface CountrySections {
  /** ISO 3166-1 alpha-2. */
  readonly countries: readonly string[];
  readonly ranges: IpRangeMap;
}

/** The classes in stored order. A class is stored as its index in this list, so add new classes only at the end. */
const CLASSES = [null, 'hosting', 'vpn', 'mobile', 'access', 'education', 'business', 'relay'] as const;

export function packNetworks({ asns, organisations, classes, ranges }: NetworkSections): Uint8Array {
  const names = organisations.map((name) => Buffer.from(name));
  const ends = new Uint32Array(names.length);
  let end = 0;
  for (const [i, name] of names.entries()) {
    end += name.length;
    ends[i] = end;
  }
  const codes = Uint8Array.from(classes, (networkClass) => CLASSES.indexOf(networkClass));
  return packSections([asns, ends, Buffer.concat(names), codes, ...rangeSections(ranges)]);
}

export function packCountries({ countries, ranges }: CountrySections): Uint8Array {
  return packSections([Buffer.from(countries.join('')), ...rangeSections(ranges)]);
}

/**
 * Uses the bytes in place: nothing is copied or parsed, and 400,000 ranges are ready at once.
 * @param networks The result of `packNetworks`.
 * @param countries The result of `packCountries`.
 * @throws {Error} when one is damaged; the message completes "the file …".
 */
export function loadNetworkTable(networks: Uint8Array, countries: Uint8Array): NetworkTable {
  const systems = readNetworks(networks);
  const places = readCountries(countries);
  return {
    locate(ip) {
      const place = valueAt(systems.ranges, ip) - 1;
      const asn = systems.asns[place];
      const country = places.countries[valueAt(places.ranges, ip) - 1] ?? null;
      if (asn === undefined) return { asn: null, organisation: null, networkClass: null, country };
      const organisation = nameAt(systems, place) || null;
      return { asn, organisation, networkClass: classAt(systems.classes, place), country };
    },
    classOf: (asn) => classAt(systems.classes, placeOf(systems.asns, asn)),
  };
}

interface Systems {
  readonly asns: Uint32Array;
  readonly nameEnds: Uint32Array;
  readonly names: Buffer;
  readonly classes: Uint8Array;
  readonly ranges: IpRangeMap;
}

function readNetworks(bytes: Uint8Array): Systems {
  const [asns, ends, names, classes, ...ranges] = unpackSections(bytes, 8);
  const systems: Systems = {
    asns: asWords(section(asns)),
    nameEnds: asWords(section(ends)),
    names: bufferOver(section(names)),
    classes: section(classes),
    ranges: rangeMapOf(ranges, asWords),
  };
  const count = systems.asns.length;
  if (systems.nameEnds.length !== count || systems.classes.length !== count) {
    throw new Error('holds networks without names or classes');
  }
  checkRangeMap(systems.ranges, count);
  return systems;
}

function readCountries(bytes: Uint8Array): CountrySections {
  const [codes, ...ranges] = unpackSections(bytes, 5);
  const countries = bufferOver(section(codes)).toString('latin1').match(/../g) ?? [];
  const places = { countries, ranges: rangeMapOf(ranges, (values) => values) };
  checkRangeMap(places.ranges, countries.length);
  return places;
}

function nameAt({ names, nameEnds }: Systems, place: number): string {
  return names.toString('utf8', nameEnds[place - 1] ?? 0, nameEnds[place]);
}

function classAt(classes: Uint8Array, place: number): NetworkClass | null {
  return CLASSES[classes[place] ?? 0] ?? null;
}

/** The index of an autonomous system, or -1 when it is not in the list. */
function placeOf(asns: Uint32Array, asn: number): number {
  const place = countUpTo(asns, 1, [asn], 1) - 1;
  return asns[place] === asn ? place : -1;
}

function rangeSections(ranges: IpRangeMap): (Uint8Array | Uint32Array)[] {
  return [ranges.ipv4Starts, ranges.ipv4Values, ranges.ipv6Starts, ranges.ipv6Values];
}

function rangeMapOf(
  sections: readonly Uint8Array[],
  valuesOf: (section: Uint8Array) => Uint8Array | Uint32Array,
): IpRangeMap {
  const [ipv4Starts, ipv4Values, ipv6Starts, ipv6Values] = sections.map(section);
  return {
    ipv4Starts: asWords(section(ipv4Starts)),
    ipv4Values: valuesOf(section(ipv4Values)),
    ipv6Starts: asWords(section(ipv6Starts)),
    ipv6Values: valuesOf(section(ipv6Values)),
  };
}

/** `unpackSections` returns the requested number of sections. This check shows it to the compiler. */
function section(bytes: Uint8Array | undefined): Uint8Array {
  if (!bytes) throw new Error('lacks a section');
  return bytes;
}

function bufferOver(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
