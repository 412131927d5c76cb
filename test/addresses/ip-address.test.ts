import test from 'ava';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { ipAddressFromWords, parseIpAddress } from '../../src/addresses/ip-address.ts';
import { rounds } from '../helpers/rounds.ts';

test('every text form of the RFCs is parsed, and written in one canonical form', (t) => {
  const cases = [
    ['192.0.2.1', '192.0.2.1'],
    ['255.255.255.255', '255.255.255.255'],
    ['0.0.0.0', '0.0.0.0'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['2001:0db8:0000:0000:0001:0000:0000:0001', '2001:db8::1:0:0:1'],
    ['::', '::'],
    ['::1', '::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['64:ff9b::192.0.2.33', '64:ff9b::c000:221'],
    ['1:2:3:4:5:6:192.0.2.33', '1:2:3:4:5:6:c000:221'],
  ] as const;
  for (const [text, canonical] of cases) t.is(parseIpAddress(text)?.text, canonical, text);
});

test('an IPv4-mapped address is its IPv4, in every spelling', (t) => {
  for (const text of [
    '::ffff:192.0.2.1',
    '::FFFF:c000:201',
    '0:0:0:0:0:ffff:192.0.2.1',
    '::ffff:192.0.2.1%eth0',
  ]) {
    t.deepEqual(parseIpAddress(text), { family: 4, text: '192.0.2.1', words: [0xc0000201] }, text);
  }
});

test('an IPv4-compatible address (RFC 4291 section 2.5.5.1) is IPv6, in every spelling', (t) => {
  for (const text of ['::192.0.2.1', '::c000:201', '0:0:0:0:0:0:192.0.2.1', '::192.0.2.1%eth0']) {
    t.deepEqual(parseIpAddress(text)?.words, [0, 0, 0, 0xc0000201], text);
  }
});

test('a text that parsers disagree about, or that is not an address, is refused', (t) => {
  const wrong = `1.2.3 1.2.3.4.5 256.1.1.1 010.0.0.1 0x7f.0.0.1 2130706433 127.1 1.2.3.4:80 [::1] ::1] :::1 1::2::3 12345::
    1:2:3:4:5:6:7:8:9 1:2:3:4:5:6:7 ::ffff:256.0.0.1 ::ffff:010.0.0.1 ::1.2.3 g::1 ::1/64 ١٢٧.0.0.1 localhost`;
  const read = ['', ' ', ' 1.2.3.4', '1.2.3.4 ', '1.2.3.4\n', '1.2.3.4\0', ...wrong.split(/\s+/)];
  t.deepEqual(
    read.filter((text) => parseIpAddress(text) !== null),
    [],
  );
  t.is(parseIpAddress('1'.repeat(1_000_000)), null);
  t.is(parseIpAddress(`::1%${'x'.repeat(1_000_000)}`), null);
});

test('every spelling of an IPv6 address is read as ipaddr.js reads it', (t) => {
  const zeros = fc.constantFrom('0', '00', '0000');
  const group = fc.oneof(
    zeros,
    fc.nat(0xffff).map((value) => value.toString(16)),
  );
  const groups = fc.array(group, { minLength: 8, maxLength: 8 });
  const cut = fc.tuple(fc.nat(7), fc.integer({ min: 2, max: 8 }));
  const spelling = fc.tuple(groups, fc.option(cut), fc.boolean()).map(([parts, gap, isUpper]) => {
    const [from, length] = gap ?? [8, 0];
    const text =
      gap === null
        ? parts.join(':')
        : `${parts.slice(0, from).join(':')}::${parts.slice(from + length).join(':')}`;
    return isUpper ? text.toUpperCase() : text;
  });
  const property = fc.property(fc.oneof(spelling, fc.ipV6()), (text) => {
    // It reads ::192.0.2.1 as an IPv4-mapped address, which is wrong.
    fc.pre(!text.includes('.'));
    const { parts } = ipaddr.IPv6.parse(text);
    const words = [0, 2, 4, 6].map((i) => (parts[i] ?? 0) * 65_536 + (parts[i + 1] ?? 0));
    const isMapped = words[0] === 0 && words[1] === 0 && words[2] === 0xffff;
    t.deepEqual(parseIpAddress(text)?.words, isMapped ? words.slice(3) : words, text);
  });
  fc.assert(property, { numRuns: rounds(3_000) });
});

test('words and text lead to each other', (t) => {
  const word = fc.oneof(fc.nat(0xffffffff), fc.constantFrom(0, 1, 0xffff, 0xffff0000, 0xffffffff));
  fc.assert(
    fc.property(word, (one) => {
      const ip = ipAddressFromWords(4, [one]);
      t.deepEqual(parseIpAddress(ip.text), ip);
    }),
  );
  fc.assert(
    fc.property(fc.tuple(word, word, word, word), (words) => {
      const ip = ipAddressFromWords(6, words);
      const isMapped = words[0] === 0 && words[1] === 0 && words[2] === 0xffff;
      const read = parseIpAddress(ip.text);
      t.deepEqual(read, isMapped ? ipAddressFromWords(4, words.slice(3)) : ip);
      // The URL standard writes RFC 5952 too.
      if (!isMapped) t.is(ip.text, new URL(`http://[${ip.text}]/`).hostname.slice(1, -1));
    }),
  );
});
