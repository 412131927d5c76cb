import test from 'ava';
import fc from 'fast-check';
import { parseMailbox } from '../../src/addresses/email-address.ts';
import { parseIpAddress } from '../../src/addresses/ip-address.ts';
import { createAttempt } from '../../src/assessment/attempt.ts';
import { createPseudonymizer } from '../../src/assessment/identity.ts';
import { parseListEntry } from '../../src/assessment/list-entry.ts';
import { compileLists } from '../../src/assessment/lists.ts';
import { compileStoredLists, whyNotStored } from '../../src/simulation/stored-lists.ts';
import { examination, examinations } from '../helpers/examinations.ts';
import { rounds } from '../helpers/rounds.ts';

const pseudonymize = createPseudonymizer('a secret for tests only');
const location = { asn: 3320, country: 'DE' };
const located = examinations({
  ip_address: { ...examination('residential_ip'), fields: { asn: 3320 } },
});

const EMAILS = [
  'jane.doe+x@gmail.com',
  'bob@mail.acme.co.uk',
  'bob@acme.co.uk',
  'x@acme.de',
  'x@deep.acme.de',
];
const IPS = [
  '203.0.113.7',
  '203.0.113.200',
  '198.51.100.7',
  '2001:db8:1:2::3',
  '2001:db8:1:9::3',
  '2001:db8:7::1',
];
const ENTRIES = [
  ...['janedoe@gmail.com', 'gmail.com', 'acme.co.uk', 'acme.de', 'x@acme.de', 'com', '203.0.113.7', 'AS3320'],
  ...['203.0.113.0/24', '203.0.0.0/16', '0.0.0.0/0', '2001:db8:1:2::/64', '2001:db8:1::/48', '2001:db8::/32'],
  ...['2001:db8:1:2::3', 'AS64500', 'other@acme.de'],
];

function attemptOf(email: string, address: string) {
  const mailbox = parseMailbox(email);
  const ip = parseIpAddress(address);
  if (!mailbox || !ip) throw new Error(`${email} or ${address} is none`);
  return createAttempt(
    {
      requestId: '00000000-0000-4000-8000-000000000000',
      receivedAt: 0,
      door: 'api',
      scope: 'account',
      route: null,
      email: { mailbox },
      ip,
      userAgent: null,
      headers: null,
    },
    pseudonymize,
  );
}

const entriesOf = (texts: readonly string[]) =>
  texts.flatMap((text) => {
    const entry = parseListEntry(text);
    return entry && whyNotStored(entry) === null ? [entry] : [];
  });

test('a stored decision matches the same entries as the attempt', (t) => {
  const texts = fc.uniqueArray(fc.constantFrom(...ENTRIES), { maxLength: 5 });
  fc.assert(
    fc.property(
      fc.constantFrom(...EMAILS),
      fc.constantFrom(...IPS),
      texts,
      texts,
      (email, ip, allow, deny) => {
        const entries = { allow: entriesOf(allow), deny: entriesOf(deny) };
        const attempt = attemptOf(email, ip);
        const live = compileLists(entries, () => location).match(attempt);
        const stored = compileStoredLists(entries, pseudonymize).match({
          identity: attempt.identity,
          examinations: located,
        });
        t.deepEqual(
          stored.map(({ verdict, code }) => `${verdict} ${code}`),
          live.map(({ verdict, code }) => `${verdict} ${code}`),
        );
      },
    ),
    { numRuns: rounds(2_000) },
  );
});

test('a pseudonym matches unchanged', (t) => {
  const { identity } = attemptOf('jane@acme.de', '203.0.113.7');
  const entry = { kind: 'pseudonym', mailbox: identity.mailbox ?? '' } as const;
  const lists = compileStoredLists({ allow: [], deny: [entry] }, pseudonymize);
  t.is(lists.match({ identity, examinations: located })[0]?.code, 'denylisted_email');
});

for (const [text, says] of [
  ['XK', /country/],
  ['mail.acme.co.uk', /which is acme\.co\.uk/],
  ['203.0.113.0/25', /as \/24/],
  ['2001:db8::/56', /as \/48/],
] as const) {
  test(`${text} cannot match stored decisions, and the reason is given`, (t) => {
    const entry = parseListEntry(text);
    t.regex((entry && whyNotStored(entry)) ?? '', says);
  });
}
