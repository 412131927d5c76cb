import type { IpAddress } from '../addresses/ip-address.ts';

/**
 * What holds from each start to the next; 0 is nothing. IPv6 is cut at /64, which is one site: its starts are two
 * words each. The starts ascend.
 */
export interface IpRangeMap {
  readonly ipv4Starts: Uint32Array;
  readonly ipv4Values: Uint8Array | Uint32Array;
  readonly ipv6Starts: Uint32Array;
  readonly ipv6Values: Uint8Array | Uint32Array;
}

/** The value at the address, by binary search. */
export function valueAt(map: IpRangeMap, { family, words }: IpAddress): number {
  return family === 4 ? valueAtIpv4(map, words[0] ?? 0) : valueAtIpv6(map, words[0] ?? 0, words[1] ?? 0);
}

/** @throws {Error} when starts and values do not belong together; the message completes "the file …". */
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

function valueAtIpv4({ ipv4Starts: starts, ipv4Values: values }: IpRangeMap, word: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] ?? 0) <= word) low = middle + 1;
    else high = middle;
  }
  return values[low - 1] ?? 0;
}

function valueAtIpv6(
  { ipv6Starts: starts, ipv6Values: values }: IpRangeMap,
  upper: number,
  lower: number,
): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const start = starts[2 * middle] ?? 0;
    if (start < upper || (start === upper && (starts[2 * middle + 1] ?? 0) <= lower)) low = middle + 1;
    else high = middle;
  }
  return values[low - 1] ?? 0;
}
