import test from 'ava';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import {
  type IpAddress,
  ipAddressFromWords,
  parseIpAddress,
  specialRange,
} from '../../src/addresses/ip-address.ts';
import { rounds } from '../helpers/rounds.ts';

function ip(text: string): IpAddress {
  const address = parseIpAddress(text);
  if (!address) throw new Error(`not an address: ${text}`);
  return address;
}

/** First and last address of every range, and the addresses just outside. */
const PRIVATE = `10.0.0.0 10.255.255.255 100.64.0.0 100.127.255.255 127.0.0.0 127.0.0.1 127.255.255.255 169.254.0.0
  169.254.169.254 169.254.255.255 172.16.0.0 172.31.255.255 192.168.0.0 192.168.255.255 ::1 fc00:: fd00::1
  fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff fe80:: fe80::1 febf::1 fec0::1 feff::1 64:ff9b:1::1 ::ffff:10.0.0.1`;
const RESERVED = `0.0.0.0 0.255.255.255 192.0.0.0 192.0.0.255 192.0.2.0 192.0.2.255 192.88.99.1 198.18.0.0
  198.19.255.255 198.51.100.0 198.51.100.255 203.0.113.0 203.0.113.255 224.0.0.0 239.255.255.255 240.0.0.0
  255.255.255.255 :: ::2 ::10.0.0.1 64:ff9b::1 64:ff9b:2::1 100::1 2001::1 2001:1ff:ffff::1 2001:2::1 2001:20::1
  2001:db8:: 2001:db8:ffff:ffff:ffff:ffff:ffff:ffff 2002:: 2002:ffff::1 3fff:: 3fff:fff:ffff::1 4000::1 5f00::1
  1fff:ffff::1 fe00::1 ff00:: ff02::1 ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff 0:0:0:1::1 ::1:0:0:1`;
const ORDINARY = `1.0.0.0 1.1.1.1 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0
  169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 191.255.255.255 192.0.1.0 192.0.3.0 192.167.255.255
  192.169.0.0 198.17.255.255 198.20.0.0 198.51.99.255 198.51.101.0 203.0.112.255 203.0.114.0 223.255.255.255
  2000::1 2001:200::1 2001:db7::1 2001:db9::1 2001:4860:4860::8888 2003::1 2600::1 2a00::1 3ffe::1 3fff:1000::1`;

for (const [kind, texts] of [
  ['private', PRIVATE],
  ['reserved', RESERVED],
  [null, ORDINARY],
] as const) {
  test(`the first, last and famous addresses of ${kind ?? 'no'} range are classified`, (t) => {
    const wrong = texts.split(/\s+/).filter((text) => specialRange(ip(text)) !== kind);
    t.deepEqual(wrong, []);
  });
}

test('no address that the judge of ranges in ipaddr.js calls special is called ordinary', (t) => {
  // Both are of no interest as senders; ours leaves them to the data sets, since they are routed.
  const routed = new Set(['as112', 'amt']);
  const word = fc.oneof(
    fc.nat(0xffffffff),
    fc.constantFrom(0xc0000000, 0xc6336400, 0x20010000, 0xfe800000, 0),
  );
  const address = fc.oneof(
    word.map((w) => ipAddressFromWords(4, [w])),
    fc.tuple(word, word, word, word).map((words) => ipAddressFromWords(6, words)),
  );
  fc.assert(
    fc.property(address, (one) => {
      const theirs = ipaddr.parse(one.text).range();
      return theirs === 'unicast' || routed.has(theirs) || specialRange(one) !== null;
    }),
    { numRuns: rounds(2_000) },
  );
  t.pass();
});
