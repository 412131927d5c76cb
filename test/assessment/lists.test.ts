import test from 'ava';
import { parseMailbox } from '../../src/addresses/email-address.ts';
import { parseIpAddress } from '../../src/addresses/ip-address.ts';
import { type AttemptEmail, createAttempt } from '../../src/assessment/attempt.ts';
import { createPseudonymizer } from '../../src/assessment/identity.ts';
import { type ListEntry, parseListEntry } from '../../src/assessment/list-entry.ts';
import { compileLists } from '../../src/assessment/lists.ts';

const pseudonymize = createPseudonymizer('a secret of the tests');

function attempt(email: string, ipText: string) {
  const mailbox = parseMailbox(email);
  if (!mailbox) throw new Error(`not a mailbox: ${email}`);
  return attemptWith({ mailbox }, ipText);
}

function attemptWith(email: AttemptEmail, ipText: string) {
  const ip = parseIpAddress(ipText);
  if (!ip) throw new Error(`not an address: ${ipText}`);
  return createAttempt(
    {
      requestId: '00000000-0000-4000-8000-000000000000',
      receivedAt: 0,
      door: 'api',
      scope: 'account',
      route: null,
      email,
      ip,
      userAgent: null,
      headers: null,
    },
    pseudonymize,
  );
}

const entries = (...texts: string[]): ListEntry[] =>
  texts.map((text) => {
    const entry = parseListEntry(text);
    if (!entry) throw new Error(`not an entry: ${text}`);
    return entry;
  });

const locate = () => ({ asn: 64500, country: 'XK' });
const denies = (list: string, email: string, ip: string) =>
  compileLists({ allow: [], deny: entries(list) }, locate)
    .match(attempt(email, ip))
    .map(({ code }) => code);

const DENIED: readonly (readonly [entry: string, email: string, ip: string, code: string])[] = [
  ['bad.example', 'a@bad.example', '198.51.100.1', 'denylisted_email'],
  ['bad.example', 'a@deep.below.bad.example', '198.51.100.1', 'denylisted_email'],
  ['BAD.example', 'a@Bad.Example', '198.51.100.1', 'denylisted_email'],
  ['bücher.example', 'a@xn--bcher-kva.example', '198.51.100.1', 'denylisted_email'],
  ['jane.doe@gmail.com', 'janedoe+tag@googlemail.com', '198.51.100.1', 'denylisted_email'],
  ['203.0.113.7', 'a@b.example', '203.0.113.7', 'denylisted_ip'],
  ['203.0.113.7', 'a@b.example', '::ffff:203.0.113.7', 'denylisted_ip'],
  ['203.0.113.0/24', 'a@b.example', '203.0.113.255', 'denylisted_ip'],
  ['0.0.0.0/0', 'a@b.example', '203.0.113.255', 'denylisted_ip'],
  ['2001:db8::/32', 'a@b.example', '2001:db8:ffff::1', 'denylisted_ip'],
  ['AS64500', 'a@b.example', '203.0.113.1', 'denylisted_ip'],
  ['XK', 'a@b.example', '203.0.113.1', 'denied_country'],
];

for (const [entry, email, ip, code] of DENIED) {
  test(`denying ${entry} names ${email} from ${ip}`, (t) => {
    t.deepEqual(denies(entry, email, ip), [code]);
  });
}

const NOT_DENIED: readonly (readonly [entry: string, email: string, ip: string])[] = [
  ['bad.example', 'a@notbad.example', '198.51.100.1'],
  ['below.bad.example', 'a@bad.example', '198.51.100.1'],
  ['jane@b.example', 'jane+tag@b.example', '198.51.100.1'],
  ['203.0.113.0/24', 'a@b.example', '203.0.114.0'],
  ['203.0.113.0/24', 'a@b.example', '2001:db8::cb00:7100'],
  ['AS64501', 'a@b.example', '203.0.113.1'],
];

for (const [entry, email, ip] of NOT_DENIED) {
  test(`denying ${entry} leaves ${email} from ${ip} alone`, (t) => {
    t.deepEqual(denies(entry, email, ip), []);
  });
}

test('when an allowed and a denied entry match, both are reported, the denied one first', (t) => {
  const lists = compileLists({ allow: entries('b.example'), deny: entries('203.0.113.0/24') }, locate);
  t.deepEqual(
    lists
      .match(attempt('a@b.example', '203.0.113.9'))
      .map(({ verdict, evidence, fields }) => [verdict, evidence, fields]),
    [
      ['denied', '203.0.113.0/24', { network: '203.0.113.0/24' }],
      ['allowed', 'b.example', { domain: 'b.example' }],
    ],
  );
});

test('an allowed network overrides an email that no denied entry can match only while no email is denied', (t) => {
  const codes = (problem: 'missing' | 'syntax', ...deny: string[]) =>
    compileLists({ allow: entries('203.0.113.0/24'), deny: entries(...deny) }, locate)
      .match(attemptWith({ mailbox: null, problem }, '203.0.113.9'))
      .map(({ code }) => code);
  for (const denied of ['bad.example', 'jane@b.example']) {
    t.deepEqual(codes('syntax', denied), []);
    t.deepEqual(codes('missing', denied), ['allowlisted_ip']);
  }
  t.deepEqual(codes('syntax', '198.51.100.0/24'), ['allowlisted_ip']);
  t.deepEqual(codes('syntax'), ['allowlisted_ip']);
  t.deepEqual(codes('syntax', 'bad.example', '203.0.113.9'), ['denylisted_ip']);
});

for (const text of [
  '',
  'x',
  'AS-1',
  'AS99999999999',
  '10.0.0.0/33',
  '10.0.0.1/8',
  'two words',
  '@b.example',
  '*@b.example',
  'xk',
]) {
  test(`"${text}" is no list entry`, (t) => {
    t.is(parseListEntry(text), null);
  });
}
