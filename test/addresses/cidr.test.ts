import test from 'ava';
import fc from 'fast-check';
import {
  cidrContains,
  formatCidr,
  ipAddressFromWords,
  lastWordsOf,
  networkOf,
  parseCidr,
  parseIpAddress,
} from '../../src/addresses/ip-address.ts';
import { ipOf } from '../helpers/network-attempts.ts';

test('networks of both families and bare addresses are read and written back', (t) => {
  const cases = [
    ['10.0.0.0/8', '10.0.0.0/8'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['192.0.2.1', '192.0.2.1/32'],
    ['192.0.2.1/32', '192.0.2.1/32'],
    ['2001:DB8::/32', '2001:db8::/32'],
    ['::/0', '::/0'],
    ['2001:db8::1', '2001:db8::1/128'],
    ['2001:db8:0:1::/64', '2001:db8:0:1::/64'],
  ] as const;
  for (const [text, written] of cases) {
    const cidr = parseCidr(text);
    t.is(cidr && formatCidr(cidr), written, text);
  }
});

test('a text that is not a network, or has bits beyond its prefix, is refused', (t) => {
  const wrong = `10.0.0.0/33 10.0.0.0/-1 10.0.0.0/08 10.0.0.0/ /8 10.0.0.0/8/8 10.0.0.1/8 2001:db8::/129 2001:db8::1/64
    10.0.0.0/1e1 10.0.0.0/255.0.0.0 10.0.0/8 example.com/8 10.0.0.0/٨`;
  t.deepEqual(
    ['', ...wrong.split(/\s+/)].filter((text) => parseCidr(text) !== null),
    [],
  );
});

test('a network contains its first and last address and none outside, at every prefix length', (t) => {
  const address = fc.oneof(
    fc.nat(0xffffffff).map((word) => ipAddressFromWords(4, [word])),
    fc.array(fc.nat(0xffffffff), { minLength: 4, maxLength: 4 }).map((words) => ipAddressFromWords(6, words)),
  );
  fc.assert(
    fc.property(address, fc.nat(128), (ip, length) => {
      const bits = ip.family === 4 ? 32 : 128;
      const prefixLength = length % (bits + 1);
      const cidr = { network: networkOf(ip, prefixLength), prefixLength };
      const last = ipAddressFromWords(ip.family, lastWordsOf(cidr));
      const asNumber = ({ words }: typeof ip) => words.reduce((sum, word) => (sum << 32n) | BigInt(word), 0n);
      t.true(cidrContains(cidr, ip) && cidrContains(cidr, cidr.network) && cidrContains(cidr, last));
      t.is(asNumber(last) - asNumber(cidr.network) + 1n, 1n << BigInt(bits - prefixLength));
      t.is(
        asNumber(cidr.network) >> BigInt(bits - prefixLength),
        asNumber(ip) >> BigInt(bits - prefixLength),
      );
    }),
  );
});

test('families never mix', (t) => {
  const everything = parseCidr('::/0');
  t.false(everything && cidrContains(everything, ipOf('192.0.2.1')));
  t.is(parseIpAddress('::ffff:192.0.2.1')?.family, 4);
});
