import { createHash } from 'node:crypto';
import test from 'ava';
import { parseMailbox } from '../../src/addresses/email-address.ts';
import { parseIpAddress } from '../../src/addresses/ip-address.ts';
import { createPseudonymizer, identify } from '../../src/assessment/identity.ts';

const SECRET = 'a secret of the test';
const pseudonymize = createPseudonymizer(SECRET);

const factsOf = (email: string | null, ip: string, userAgent: string | null = null) => {
  const mailbox = email === null ? null : parseMailbox(email);
  const address = parseIpAddress(ip);
  if (!address) throw new Error(`${ip} is no address`);
  return { email: { mailbox }, ip: address, userAgent };
};
const identityOf = (...args: Parameters<typeof factsOf>) => identify(factsOf(...args), pseudonymize);

test('a pseudonym is half of a SHA-256 over secret and value, so every version finds stored data', (t) => {
  for (let i = 0; i < 200; i++) {
    const value = `mailbox person${i}@example.org`;
    const digest = createHash('sha256').update(`${SECRET}\n${value}`).digest('base64');
    t.is(pseudonymize(value), digest.slice(0, 22).replaceAll('+', '-').replaceAll('/', '_'));
    t.regex(pseudonymize(value), /^[\w-]{22}$/);
  }
  t.not(createPseudonymizer('another secret of the test')('x'), pseudonymize('x'));
});

test('an identity holds domain and network in plain text, and everything else as pseudonyms', (t) => {
  t.deepEqual(identityOf('a.da+shop@gmail.com', '203.0.113.9', 'Browser/1.0'), {
    mailbox: pseudonymize('mailbox ada@gmail.com'),
    spelling: pseudonymize('spelling a.da+shop@gmail.com'),
    domain: 'gmail.com',
    ip: pseudonymize('ip 203.0.113.9'),
    site: null,
    network: '203.0.113.0/24',
    userAgent: pseudonymize('user agent Browser/1.0'),
    template: null,
    style: 'l.s',
  });
});

test('IPv6 is known by its /64 too, and its network is the /48', (t) => {
  const { site, network } = identityOf('ada@example.org', '2001:db8:1:2:3:4:5:6');
  t.is(site, pseudonymize('site 2001:db8:1:2::'));
  t.is(network, '2001:db8:1::/48');
});

test('without a mailbox and without a user agent there is nothing to name', (t) => {
  const { mailbox, spelling, domain, template, userAgent } = identityOf(null, '203.0.113.9');
  t.deepEqual(
    { mailbox, spelling, domain, template, userAgent },
    {
      ...{ mailbox: null, spelling: null, domain: null, template: null, userAgent: null },
    },
  );
});
