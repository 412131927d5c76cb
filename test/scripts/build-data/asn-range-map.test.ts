import test from 'ava';
import fc from 'fast-check';
import { createRangeMapBuilder } from '../../../scripts/build-data/asn-range-map.ts';
import { ipAddressFromWords } from '../../../src/addresses/ip-address.ts';
import { type IpRangeMap, valueAt } from '../../../src/datasets/ip-range-map.ts';

const ipv4 = (map: IpRangeMap, word: number) => valueAt(map, ipAddressFromWords(4, [word]));
const ipv6 = (map: IpRangeMap, upper: bigint) =>
  valueAt(map, ipAddressFromWords(6, [Number(upper >> 32n), Number(upper & 0xffffffffn), 0, 1]));

test('the first and last addresses of both families are covered', (t) => {
  const builder = createRangeMapBuilder(Uint8Array);
  builder.addIpv4(0, 0xffffffff, 1);
  builder.addIpv6(0n, 0xffff_ffff_ffff_ffffn, 2);
  const map = builder.build();
  t.is(ipv4(map, 0), 1);
  t.is(ipv4(map, 0xffffffff), 1);
  t.is(ipv6(map, 0n), 2);
  t.is(ipv6(map, 0xffff_ffff_ffff_ffffn), 2);
});

test('neighbours with one value become one range', (t) => {
  const builder = createRangeMapBuilder(Uint8Array);
  builder.addIpv4(10, 19, 1);
  builder.addIpv4(20, 29, 1);
  t.deepEqual([...builder.build().ipv4Starts], [10, 30]);
});

test('nothing was added: nothing is found', (t) => {
  const map = createRangeMapBuilder(Uint32Array).build();
  t.is(ipv4(map, 5), 0);
  t.is(ipv6(map, 5n), 0);
});

test('every address has the value of the first range that holds it, overlapping or not', (t) => {
  const range = fc.tuple(fc.nat(60), fc.nat(20), fc.integer({ min: 1, max: 3 }));
  fc.assert(
    fc.property(fc.array(range, { maxLength: 10 }), (unsorted) => {
      const ranges = unsorted.map(([from, length, value]) => ({ from, to: from + length, value }));
      ranges.sort((a, b) => a.from - b.from);
      const builder = createRangeMapBuilder(Uint32Array);
      for (const { from, to, value } of ranges) {
        builder.addIpv4(from, to, value);
        builder.addIpv6(BigInt(from), BigInt(to), value);
      }
      const map = builder.build();
      for (let at = 0; at < 90; at++) {
        const expected = ranges.find(({ from, to }) => from <= at && at <= to)?.value ?? 0;
        t.is(ipv4(map, at), expected);
        t.is(ipv6(map, BigInt(at)), expected);
      }
    }),
  );
});
