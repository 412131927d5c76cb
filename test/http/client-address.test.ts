import test from 'ava';
import fc from 'fast-check';
import { parseCidr, parseIpAddress } from '../../src/addresses/ip-address.ts';
import { clientAddress, hasForwardingHeader } from '../../src/http/request-head.ts';
import { rounds } from '../helpers/rounds.ts';

interface Case {
  readonly title: string;
  readonly peer?: string;
  readonly trusted?: readonly string[];
  readonly header?: string;
  readonly lines: readonly (readonly [name: string, value: string])[];
  readonly client: string;
}

const XFF = 'X-Forwarded-For';
const LOOPBACK = ['127.0.0.1', '::1'];

const CASES: readonly Case[] = [
  { title: 'no trusted proxy: the socket', trusted: [], lines: [[XFF, '1.2.3.4']], client: '127.0.0.1' },
  {
    title: 'the peer is not trusted: the socket',
    peer: '9.9.9.9',
    lines: [[XFF, '1.2.3.4']],
    client: '9.9.9.9',
  },
  { title: 'no header: the socket', lines: [], client: '127.0.0.1' },
  { title: 'another header: the socket', lines: [['X-Real-IP', '1.2.3.4']], client: '127.0.0.1' },
  { title: 'the right-most untrusted entry', lines: [[XFF, '6.6.6.6, 1.2.3.4']], client: '1.2.3.4' },
  {
    title: 'past trusted hops',
    trusted: ['127.0.0.1', '10.0.0.0/8'],
    lines: [[XFF, '6.6.6.6, 1.2.3.4, 10.1.2.3,10.9.9.9']],
    client: '1.2.3.4',
  },
  {
    title: 'all trusted: the left-most',
    trusted: ['127.0.0.1', '10.0.0.0/8'],
    lines: [[XFF, '10.0.0.1, 10.0.0.2']],
    client: '10.0.0.1',
  },
  {
    title: 'several lines are one list in order',
    lines: [
      [XFF, '6.6.6.6'],
      ['x-forwarded-for', '1.2.3.4'],
    ],
    client: '1.2.3.4',
  },
  { title: 'a port', lines: [[XFF, '1.2.3.4:5678']], client: '1.2.3.4' },
  { title: 'brackets and a port', lines: [[XFF, '[2001:db8::1]:443']], client: '2001:db8::1' },
  { title: 'bare IPv6', lines: [[XFF, '2001:db8::1']], client: '2001:db8::1' },
  { title: 'an IPv4-mapped entry', lines: [[XFF, '::ffff:1.2.3.4']], client: '1.2.3.4' },
  { title: 'an IPv4-mapped peer', peer: '::ffff:127.0.0.1', lines: [[XFF, '1.2.3.4']], client: '1.2.3.4' },
  { title: 'markup', lines: [[XFF, 'not-an-ip"><script>']], client: '127.0.0.1' },
  {
    title: 'markup before a good entry is never reached',
    lines: [[XFF, 'not-an-ip"><script>, 1.2.3.4']],
    client: '1.2.3.4',
  },
  {
    title: 'garbage behind a trusted hop',
    trusted: ['127.0.0.1', '10.0.0.0/8'],
    lines: [[XFF, '1.2.3.4, unknown, 10.0.0.7']],
    client: '10.0.0.7',
  },
  { title: 'octal', lines: [[XFF, '010.0.0.1']], client: '127.0.0.1' },
  { title: 'a number', lines: [[XFF, '16909060']], client: '127.0.0.1' },
  { title: 'an empty last entry', lines: [[XFF, '1.2.3.4, ']], client: '127.0.0.1' },
  { title: 'X-Real-IP', header: 'x-real-ip', lines: [['X-Real-IP', ' 1.2.3.4 ']], client: '1.2.3.4' },
  {
    title: 'CF-Connecting-IP',
    header: 'cf-connecting-ip',
    lines: [['CF-Connecting-IP', '2001:db8::5']],
    client: '2001:db8::5',
  },
  { title: 'Forwarded', header: 'forwarded', lines: [['Forwarded', 'for=1.2.3.4']], client: '1.2.3.4' },
  {
    title: 'Forwarded with everything',
    header: 'forwarded',
    lines: [['Forwarded', 'for=6.6.6.6, proto=https;For="[2001:db8:cafe::17]:4711";by=203.0.113.43']],
    client: '2001:db8:cafe::17',
  },
  {
    title: 'Forwarded, commas in quotes part nothing',
    header: 'forwarded',
    lines: [['Forwarded', 'for=1.2.3.4;host="a,for=6.6.6.6;b"']],
    client: '1.2.3.4',
  },
  ...['"', 'x"y', '6.6.6.6, "', '\\"', '"\\'].map((prefix) => ({
    title: `what a client sends hides nothing that a proxy appends: ${prefix}`,
    lines: [[XFF, `${prefix}, 1.2.3.4`]] as const,
    client: '1.2.3.4',
  })),
  ...['for="', 'for="\\', 'for="6.6.6.6, for=\\"', 'x"y', '"'].flatMap((prefix) =>
    ['for=1.2.3.4', 'for="1.2.3.4"', 'for="1.2.3.4:99";proto=https'].map((appended) => ({
      title: `what a client sends hides nothing that a proxy appends: ${prefix} and ${appended}`,
      header: 'forwarded',
      lines: [['Forwarded', `${prefix}, ${appended}`]] as const,
      client: '1.2.3.4',
    })),
  ),
  {
    title: 'Forwarded, an obfuscated name is no address',
    header: 'forwarded',
    lines: [['Forwarded', 'for=_hidden']],
    client: '127.0.0.1',
  },
  {
    title: 'Forwarded, for twice is invalid',
    header: 'forwarded',
    lines: [['Forwarded', 'for=6.6.6.6;for=1.2.3.4']],
    client: '127.0.0.1',
  },
];

for (const {
  title,
  peer = '127.0.0.1',
  trusted = LOOPBACK,
  header = 'x-forwarded-for',
  lines,
  client,
} of CASES) {
  test(`the client is ${client}: ${title}`, (t) => {
    t.is(address(peer, trusted, header, lines.flat()), client);
  });
}

test('the entry of the trusted proxy counts, whatever a client writes to its left', (t) => {
  const forged = fc.oneof(
    fc.string({ maxLength: 200 }),
    fc.string({ unit: fc.constantFrom(...'",\\;= for6.[]:'), maxLength: 20 }),
  );
  const appended = fc.constantFrom('for=1.2.3.4', 'for="1.2.3.4"', 'proto=https;for="1.2.3.4:99"');
  fc.assert(
    fc.property(forged, appended, (before, entry) => {
      t.is(address('127.0.0.1', LOOPBACK, 'x-forwarded-for', [XFF, `${before}, 1.2.3.4`]), '1.2.3.4');
      t.is(address('127.0.0.1', LOOPBACK, 'forwarded', ['Forwarded', `${before}, ${entry}`]), '1.2.3.4');
    }),
    { numRuns: rounds(2_000) },
  );
});

test('eight thousand entries cost one short walk', (t) => {
  const line = '127.0.0.1,'.repeat(8_000).concat('127.0.0.1');
  t.is(address('127.0.0.1', LOOPBACK, 'x-forwarded-for', [XFF, line]), '127.0.0.1');
});

test('the headers that proxies send are noticed in any spelling', (t) => {
  t.true(hasForwardingHeader(['Host', 'x', 'x-FORWARDED-for', '1.2.3.4']));
  t.true(hasForwardingHeader(['CF-Connecting-IP', '1.2.3.4']));
  t.false(hasForwardingHeader(['Host', 'x-forwarded-for']));
});

function address(
  peer: string,
  trusted: readonly string[],
  header: string,
  rawHeaders: readonly string[],
): string {
  const socketAddress = parseIpAddress(peer);
  if (!socketAddress) throw new Error(`no address: ${peer}`);
  const trustedProxies = trusted.map((text) => {
    const cidr = parseCidr(text);
    if (!cidr) throw new Error(`no network: ${text}`);
    return cidr;
  });
  return clientAddress({ socketAddress, trustedProxies, header, rawHeaders }).text;
}
