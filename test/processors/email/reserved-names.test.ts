import test from 'ava';
import { parseDomainName } from '../../../src/addresses/email-address.ts';
import { whyUndeliverable } from '../../../src/processors/email/reserved-names.ts';

const why = (name: string) => {
  const domain = parseDomainName(name);
  return domain && whyUndeliverable(domain);
};

for (const [name, reason] of [
  ['shop.test', 'test is reserved'],
  ['a.b.example', 'example is reserved'],
  ['x.invalid', 'invalid is reserved'],
  ['mail.localhost', 'localhost is reserved'],
  ['printer.local', 'local is reserved'],
  ['abc.onion', 'onion is reserved'],
  ['router.home.arpa', 'arpa is reserved'],
  ['db.internal', 'internal is reserved'],
  ['example.com', 'example.com is reserved'],
  ['mail.example.org', 'example.org is reserved'],
  ['gmail.con', 'the suffix .con does not exist'],
  ['host.zzzz', 'the suffix .zzzz does not exist'],
] as const) {
  test(`no mail reaches ${name}: ${reason}`, (t) => {
    const because = why(name);
    t.is(because?.evidence, reason);
    const { domain = '' } = because?.fields ?? {};
    t.true(reason.includes(domain) && domain !== '', domain);
  });
}

for (const name of [
  'example.de',
  'test.com',
  'myexample.com',
  'local.fr',
  'x.cc.cd',
  'bücher.de',
  'почта.рф',
  'foo.np',
]) {
  test(`mail may reach ${name}`, (t) => {
    t.is(why(name), null);
  });
}
