import type { IpAddress } from '../addresses/ip-address.ts';
import { countUpTo } from './word-buffer.ts';

/**
 * Each start has a value, which is valid up to the next start. The value 0 means that no value is known. IPv6 addresses
 * are cut at /64, which is one site: their starts are two words each. The starts ascend.
 */
export interface IpRangeMap {
  readonly ipv4Starts: Uint32Array;
  readonly ipv4Values: Uint8Array | Uint32Array;
  readonly ipv6Starts: Uint32Array;
  readonly ipv6Values: Uint8Array | Uint32Array;
}

export function valueAt(map: IpRangeMap, { family, words }: IpAddress): number {
  const value =
    family === 4
      ? map.ipv4Values[countUpTo(map.ipv4Starts, 1, words, 1) - 1]
      : map.ipv6Values[countUpTo(map.ipv6Starts, 2, words, 2) - 1];
  return value ?? 0;
}

/** @throws {Error} when starts and values do not match; the message completes "the file …". */
export function checkRangeMap(map: IpRangeMap, maxValue: number): void {
  const whole =
    map.ipv4Starts.length === map.ipv4Values.length && map.ipv6Starts.length === 2 * map.ipv6Values.length;
  if (!whole) throw new Error('holds ranges without values');
  for (const values of [map.ipv4Values, map.ipv6Values]) {
    for (let i = 0; i < values.length; i++) {
      if ((values[i] ?? 0) > maxValue) throw new Error('holds ranges with impossible values');
    }
  }
}
