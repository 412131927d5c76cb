import type { IpRangeMap } from '../../src/datasets/ip-range-map.ts';

/** Puts ranges that come in ascending order into the form that look-ups use. */
export interface RangeMapBuilder {
  /** First and last address of the range. The part that the range before it has already covered is left out. */
  addIpv4(from: number, to: number, value: number): void;
  /** First and last /64 of the range: the upper 64 bits of addresses. */
  addIpv6(from: bigint, to: bigint, value: number): void;
  build(): IpRangeMap;
}

/** The progress in one address family: the first address without a range, and the value of the addresses before it. */
interface Front<Address> {
  next: Address;
  value: number;
}

/**
 * @param Values The array type that the largest value fits in.
 */
export function createRangeMapBuilder(Values: typeof Uint8Array | typeof Uint32Array): RangeMapBuilder {
  const ipv4Starts: number[] = [];
  const ipv4Values: number[] = [];
  const ipv6Starts: number[] = [];
  const ipv6Values: number[] = [];
  const front4: Front<number> = { next: 0, value: 0 };
  const front6: Front<bigint> = { next: 0n, value: 0 };

  function startIpv4(at: number, value: number): void {
    if (value !== front4.value && at <= 0xffffffff) {
      ipv4Starts.push(at);
      ipv4Values.push(value);
    }
    front4.value = value;
  }

  function startIpv6(at: bigint, value: number): void {
    if (value !== front6.value && at <= 0xffffffff_ffffffffn) {
      ipv6Starts.push(Number(at >> 32n), Number(at & 0xffffffffn));
      ipv6Values.push(value);
    }
    front6.value = value;
  }

  return {
    addIpv4(from, to, value) {
      if (to < front4.next) return;
      if (from > front4.next) startIpv4(front4.next, 0);
      startIpv4(Math.max(from, front4.next), value);
      front4.next = to + 1;
    },
    addIpv6(from, to, value) {
      if (to < front6.next) return;
      if (from > front6.next) startIpv6(front6.next, 0);
      startIpv6(from > front6.next ? from : front6.next, value);
      front6.next = to + 1n;
    },
    build() {
      startIpv4(front4.next, 0);
      startIpv6(front6.next, 0);
      return {
        ipv4Starts: Uint32Array.from(ipv4Starts),
        ipv4Values: Values.from(ipv4Values),
        ipv6Starts: Uint32Array.from(ipv6Starts),
        ipv6Values: Values.from(ipv6Values),
      };
    },
  };
}
