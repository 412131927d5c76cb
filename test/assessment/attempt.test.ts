import test from 'ava';
import { parseMailbox } from '../../src/addresses/email-address.ts';
import { parseIpAddress } from '../../src/addresses/ip-address.ts';
import { type AttemptFacts, createAttempt } from '../../src/assessment/attempt.ts';
import { createPseudonymizer, identify } from '../../src/assessment/identity.ts';

test('an IPv4 sender behind a translator to IPv6 is the same sender as without it', (t) => {
  const mailbox = parseMailbox('ada@example.org');
  if (!mailbox) throw new Error('not a mailbox');
  const facts = { requestId: '', receivedAt: 0, door: 'gate', scope: 'gate', route: null } as const;
  const [translated, plain] = ['64:ff9b::8.8.4.4', '8.8.4.4'].map((text) => {
    const ip = parseIpAddress(text);
    if (!ip) throw new Error('not an address');
    const sent = { ...facts, email: { mailbox }, ip, userAgent: null, headers: null };
    return createAttempt(sent, createPseudonymizer('a secret of the test'));
  });
  t.deepEqual(translated, plain);
});

test('an attempt is all its facts and the pseudonyms made of them, and cannot be changed', (t) => {
  const ip = parseIpAddress('203.0.113.9');
  const mailbox = parseMailbox('ada@example.org');
  if (!ip || !mailbox) throw new Error('the facts of the test cannot be read');
  const facts: Required<AttemptFacts> = {
    requestId: '0d4ff2c0-0000-7000-8000-000000000000',
    receivedAt: 1_700_000_000_000,
    door: 'gate',
    scope: 'gate',
    route: 'signup',
    email: { mailbox },
    ip,
    userAgent: 'Browser/1.0',
    headers: [['Host', 'shop.internal']],
    formVisit: { secondsBefore: 12, knownHours: 24 },
  };
  const pseudonymize = createPseudonymizer('a secret of the test');
  const attempt = createAttempt(facts, pseudonymize);
  t.deepEqual(attempt, { ...facts, identity: identify(facts, pseudonymize) });
  t.true(Object.isFrozen(attempt));
});
