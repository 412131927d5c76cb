import test from 'ava';
import fc from 'fast-check';
import { parseMailbox } from '../../src/addresses/email-address.ts';
import { cidrContains, parseCidr, parseIpAddress } from '../../src/addresses/ip-address.ts';
import { createAttempt } from '../../src/assessment/attempt.ts';
import { createPseudonymizer } from '../../src/assessment/identity.ts';
import { formatListEntry, type ListEntry, parseListEntry } from '../../src/assessment/list-entry.ts';
import { createListIndex } from '../../src/assessment/list-index.ts';

const pseudonymize = createPseudonymizer('a secret of the tests');
const nowhere = () => ({ asn: null, country: null });

function attemptOf(email: string, ipText: string, receivedAt = 0) {
  const [mailbox, ip] = [parseMailbox(email), parseIpAddress(ipText)];
  if (!mailbox || !ip) throw new Error(`not an attempt: ${email} ${ipText}`);
  const requestId = '00000000-0000-4000-8000-000000000000';
  const facts = { requestId, receivedAt, door: 'api', scope: 'account', route: null } as const;
  return createAttempt({ ...facts, email: { mailbox }, ip, userAgent: null, headers: null }, pseudonymize);
}

function entryOf(text: string): ListEntry {
  const entry = parseListEntry(text);
  if (!entry) throw new Error(`not an entry: ${text}`);
  return entry;
}

const ipv4 = fc
  .tuple(fc.constantFrom(10, 172, 203), fc.nat(3), fc.nat(255), fc.nat(255))
  .map((bytes) => bytes.join('.'));
const ipv6 = fc
  .tuple(fc.constantFrom('2001:db8', '2a00:1'), fc.nat(0xffff), fc.nat(7))
  .map(([start, middle, end]) => `${start}:${middle.toString(16)}::${end.toString(16)}`);

test('networks match exactly the addresses that they contain', (t) => {
  const cidr = fc.tuple(fc.oneof(ipv4, ipv6), fc.nat(128)).map(([text, length]) => {
    const ip = parseIpAddress(text);
    return ip && parseCidr(`${text}/${Math.min(length, ip.family === 4 ? 32 : 128)}`);
  });
  const cidrs = fc.array(cidr, { maxLength: 20 });
  fc.assert(
    fc.property(cidrs, fc.oneof(ipv4, ipv6), (candidates, ipText) => {
      const known = candidates.flatMap((one) => one ?? []);
      const index = createListIndex();
      for (const one of known) index.add({ kind: 'network', cidr: one }, null);
      const attempt = attemptOf('a@b.example', ipText);
      t.is(
        index.matchIp(attempt, nowhere) !== null,
        known.some((one) => cidrContains(one, attempt.ip)),
      );
    }),
  );
});

test('an entry with the IPv6 form of a translated IPv4 address matches the senders that this address has', (t) => {
  for (const [text, canonical] of [
    ['64:ff9b::8.8.4.4', '8.8.4.4'],
    ['64:ff9b::808:400/120', '8.8.4.0/24'],
    ['64:ff9b::10.0.0.0/104', '64:ff9b::a00:0/104'],
  ] as const) {
    const entry = entryOf(text);
    t.is(formatListEntry(entry), canonical);
    const index = createListIndex();
    index.add(entry, null);
    for (const ip of text.includes('10.0') ? ['64:ff9b::10.0.0.1'] : ['8.8.4.4', '64:ff9b::8.8.4.4'])
      t.truthy(index.matchIp(attemptOf('a@b.example', ip), nowhere), `${text} and ${ip}`);
    t.is(index.matchIp(attemptOf('a@b.example', '8.8.5.4'), nowhere), null, text);
  }
});

test('after any changes, the index holds the entries that were added and not removed', (t) => {
  const names = ['a.example', 'b.example', 'x@c.example', '10.0.0.0/8', '2001:db8::/32', 'AS1', 'XK'];
  const act = fc.record({ name: fc.constantFrom(...names), adds: fc.boolean() });
  fc.assert(
    fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
      const index = createListIndex();
      const expected = new Set<string>();
      for (const { name, adds } of acts) {
        const entry = entryOf(name);
        t.is(adds ? index.add(entry, null) : index.remove(entry), adds !== expected.has(name));
        if (adds) expected.add(name);
        else expected.delete(name);
      }
      t.is(index.size, expected.size);
      for (const name of names) t.is(index.findCovering(entryOf(name), 0) !== null, expected.has(name), name);
      index.clear();
      t.is(index.size, 0);
      for (const name of names) t.is(index.findCovering(entryOf(name), 0), null);
    }),
  );
});

test('an entry matches until its end, and from then on no more', (t) => {
  const index = createListIndex();
  for (const text of ['b.example', '203.0.113.0/24']) index.add(entryOf(text), 1_000);
  t.is(index.matchEmail(attemptOf('x@deep.b.example', '198.51.100.1', 999))?.evidence, 'b.example');
  t.is(index.matchIp(attemptOf('x@y.example', '203.0.113.9', 999), nowhere)?.evidence, '203.0.113.0/24');
  t.is(index.matchEmail(attemptOf('x@b.example', '198.51.100.1', 1_000)), null);
  t.is(index.matchIp(attemptOf('x@y.example', '203.0.113.9', 1_000), nowhere), null);
  index.add(entryOf('b.example'), null);
  t.is(index.matchEmail(attemptOf('x@b.example', '198.51.100.1', 1_000))?.evidence, 'b.example', 'renewed');
});

test('a mailbox is known by its pseudonym in all its spellings, and by no other secret', (t) => {
  const attempt = attemptOf('J.Doe+news@googlemail.com', '198.51.100.1');
  const index = createListIndex();
  index.add({ kind: 'pseudonym', mailbox: pseudonymize('mailbox jdoe@gmail.com') }, null);
  t.is(index.matchEmail(attempt)?.evidence, 'the mailbox');
  const other = createListIndex();
  other.add(
    { kind: 'pseudonym', mailbox: createPseudonymizer('another secret')('mailbox jdoe@gmail.com') },
    null,
  );
  t.is(other.matchEmail(attempt), null);
});

test('an entry is written as it is read', (t) => {
  for (const [text, written] of [
    ['BAD.Example', 'bad.example'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['J.Doe+x@googlemail.com', 'jdoe@gmail.com'],
    ['203.0.113.7/32', '203.0.113.7'],
    ['2001:DB8:0::/32', '2001:db8::/32'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['as64500', 'AS64500'],
    ['XK', 'XK'],
  ] as const) {
    t.is(formatListEntry(entryOf(text)), written);
    t.is(formatListEntry(entryOf(written)), written);
  }
});
