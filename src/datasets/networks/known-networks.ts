import type { NetworkClass } from '../datasets.ts';
import { KNOWN_ACCESS } from './known-access.ts';
import { KNOWN_EDUCATION } from './known-education.ts';
import { KNOWN_HOSTING } from './known-hosting.ts';
import { KNOWN_MOBILE } from './known-mobile.ts';
import { KNOWN_BUSINESS, KNOWN_RELAY, KNOWN_TRANSIT, KNOWN_VPN } from './known-others.ts';

const TABLES: readonly (readonly [networkClass: NetworkClass | null, table: string])[] = [
  ['hosting', KNOWN_HOSTING],
  ['vpn', KNOWN_VPN],
  ['relay', KNOWN_RELAY],
  ['mobile', KNOWN_MOBILE],
  ['access', KNOWN_ACCESS],
  ['education', KNOWN_EDUCATION],
  ['business', KNOWN_BUSINESS],
  [null, KNOWN_TRANSIT],
];

/**
 * Autonomous systems whose names do not tell what they are used for, or tell it wrongly, by number; null where nothing does. The tables hold
 * one owner a line: numbers, a colon, who it is. Numbers and owners were checked against the names of the ASN table.
 */
export const KNOWN_NETWORKS: ReadonlyMap<number, NetworkClass | null> = new Map(
  TABLES.flatMap(([networkClass, table]) => numbersIn(table).map((asn) => [asn, networkClass] as const)),
);

export function numbersIn(table: string): number[] {
  const lines = table.split('\n').filter((line) => line !== '');
  return lines.flatMap((line) => line.slice(0, line.indexOf(':')).trim().split(' ').map(Number));
}
