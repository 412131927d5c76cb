import test from 'ava';
import fc from 'fast-check';
import {
  cidrContains,
  type IpAddress,
  ipAddressFromWords,
  parseCidr,
  parseIpAddress,
} from '../../src/addresses/ip-address.ts';
import { createIpRangesBuilder, NO_IPS, unionOfIpSets } from '../../src/datasets/ip-ranges.ts';
import { sharedLines } from '../helpers/shared-data.ts';

function setOf(...texts: readonly string[]) {
  const builder = createIpRangesBuilder();
  for (const text of texts) if (!builder.add(text)) throw new Error(`not a range: ${text}`);
  return builder.build();
}

function ip(text: string): IpAddress {
  const address = parseIpAddress(text);
  if (!address) throw new Error(`not an address: ${text}`);
  return address;
}

test('addresses, networks and ranges of both families are members from first to last', (t) => {
  const set = setOf(
    '192.0.2.7',
    '198.51.100.0/24',
    '203.0.113.5 - 203.0.113.9',
    '2001:db8::/32',
    '2001:4860::1-2001:4860::ff',
  );
  const members = [
    '192.0.2.7',
    '198.51.100.0',
    '198.51.100.255',
    '203.0.113.5',
    '203.0.113.9',
    '2001:db8::',
    '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff',
    '2001:4860::1',
    '2001:4860::ff',
  ];
  const strangers = [
    '192.0.2.6',
    '192.0.2.8',
    '198.51.99.255',
    '198.51.101.0',
    '203.0.113.4',
    '203.0.113.10',
    '2001:db7:ffff:ffff:ffff:ffff:ffff:ffff',
    '2001:db9::',
    '2001:4860::',
    '2001:4860::100',
    '0.0.0.0',
    '255.255.255.255',
    '::',
    'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  ];
  t.deepEqual(
    members.filter((text) => !set.has(ip(text))),
    [],
  );
  t.deepEqual(
    strangers.filter((text) => set.has(ip(text))),
    [],
  );
});

test('an IPv4-mapped entry is IPv4', (t) => {
  t.true(setOf('::ffff:192.0.2.7').has(ip('192.0.2.7')));
});

test('whole families have no edge', (t) => {
  const set = setOf('0.0.0.0/0', '::/0');
  for (const text of [
    '0.0.0.0',
    '128.0.0.0',
    '255.255.255.255',
    '::',
    'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  ]) {
    t.true(set.has(ip(text)), text);
  }
  t.is(set.size, 2);
});

test('overlapping, equal, nested and adjacent ranges become one range', (t) => {
  const cases: readonly (readonly [readonly string[], number])[] = [
    [['10.0.0.0/24', '10.0.1.0/24'], 1],
    [['10.0.1.0/24', '10.0.0.0/24', '10.0.0.0/16'], 1],
    [['10.0.0.0/24', '10.0.0.0/24'], 1],
    [['10.0.0.1', '10.0.0.3'], 2],
    [['10.255.255.255', '11.0.0.0'], 1],
    [['2001:db8::/64', '2001:db8:0:1::/64'], 1],
    [['2001:db8::/64', '2001:db8:0:2::/64'], 2],
    [['2001:db8::ffff:ffff', '2001:db8::1:0:0'], 1],
    [['2001:db8::ffff:ffff', '2001:db8::2:0:0'], 2],
    [['2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db9::'], 1],
    [['::-ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '::'], 1],
  ];
  for (const [texts, size] of cases) t.is(setOf(...texts).size, size, texts.join(' '));
});

test('a text that is no range is refused and leaves the rest intact', (t) => {
  const builder = createIpRangesBuilder();
  const wrong = [
    '',
    ' ',
    'example.com',
    '10.0.0.0/33',
    '10.0.0.1/8',
    '10.0.0.9-10.0.0.1',
    '10.0.0.1-::1',
    '10.0.0.1-',
    '-10.0.0.1',
    '10.0.0.1-10.0.0.2-10.0.0.3',
    '2001:db8::/129',
    '010.0.0.1',
    '10.0.0',
  ];
  for (const text of wrong) t.false(builder.add(text), text);
  t.true(builder.add('192.0.2.1'));
  t.is(builder.build().size, 1);
});

test('nothing in it: nothing is a member', (t) => {
  t.false(createIpRangesBuilder().build().has(ip('192.0.2.1')));
  t.false(createIpRangesBuilder().build().has(ip('2001:db8::1')));
  t.is(NO_IPS.size, 0);
});

test('membership agrees with the networks it was built from, in any order of them', (t) => {
  const word = fc.oneof(
    fc.integer({ min: 0, max: 6 }),
    fc.constantFrom(0xffffffff, 0x80000000),
    fc.nat(0xffffffff),
  );
  const address = fc.oneof(
    word.map((w) => ipAddressFromWords(4, [w])),
    fc.array(word, { minLength: 4, maxLength: 4 }).map((words) => ipAddressFromWords(6, words)),
  );
  const range = fc.tuple(address, address).filter(([a, b]) => a.family === b.family);
  fc.assert(
    fc.property(
      fc.array(range, { maxLength: 12 }),
      fc.array(address, { minLength: 1, maxLength: 20 }),
      (pairs, asked) => {
        const ranges = pairs.map(([a, b]) => (compare(a, b) <= 0 ? ([a, b] as const) : ([b, a] as const)));
        const set = setOf(...ranges.map(([from, to]) => `${from.text}-${to.text}`));
        for (const one of [...asked, ...ranges.flat()]) {
          const expected = ranges.some(
            ([from, to]) => from.family === one.family && compare(from, one) <= 0 && compare(one, to) <= 0,
          );
          t.is(set.has(one), expected, `${one.text} of ${ranges.map((r) => r.map((e) => e.text).join('-'))}`);
        }
      },
    ),
  );
});

function compare(a: IpAddress, b: IpAddress): number {
  const at = a.words.findIndex((word, i) => word !== b.words[i]);
  return at === -1 ? 0 : (a.words[at] ?? 0) - (b.words[at] ?? 0);
}

test('a union contains every address of its sets', (t) => {
  const union = unionOfIpSets([setOf('192.0.2.1'), NO_IPS, setOf('2001:db8::/32', '192.0.2.3')]);
  t.is(union.size, 3);
  t.true(union.has(ip('192.0.2.1')));
  t.true(union.has(ip('2001:db8::5')));
  t.false(union.has(ip('192.0.2.2')));
  t.is(unionOfIpSets([]), NO_IPS);
  const only = setOf('192.0.2.1');
  t.is(unionOfIpSets([NO_IPS, only]), only);
});

test('a real list of twenty thousand networks holds each of their ends', (t) => {
  const { content: texts, isSample } = sharedLines('cloud-ranges.txt');
  const set = setOf(...texts);
  t.true((isSample || set.size > 5_000) && set.size <= texts.length);
  for (const text of texts) {
    const cidr = parseCidr(text);
    if (!cidr || !set.has(cidr.network) || !cidrContains(cidr, cidr.network)) t.fail(text);
  }
  t.false(set.has(ip('127.0.0.1')));
});
