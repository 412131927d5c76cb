import test from 'ava';
import fc from 'fast-check';
import { domainAndParents, parseDomainName } from '../../src/addresses/email-address.ts';
import { rounds } from '../helpers/rounds.ts';

for (const [text, registrable, publicSuffix, suffixKind] of [
  ['example.com', 'example.com', 'com', 'icann'],
  ['a.b.example.co.uk', 'example.co.uk', 'co.uk', 'icann'],
  ['co.uk', null, 'co.uk', 'icann'],
  ['x.cc.cd', 'x.cc.cd', 'cc.cd', 'private'],
  ['eu.org', null, 'eu.org', 'private'],
  ['host.zzzz', 'host.zzzz', 'zzzz', 'unknown'],
  ['foo.np', null, 'foo.np', 'icann'],
] as const) {
  test(`${text} is cut where the public suffix list says`, (t) => {
    const domain = parseDomainName(text);
    t.is(domain?.registrable, registrable);
    t.is(domain?.publicSuffix, publicSuffix);
    t.is(domain?.suffixKind, suffixKind);
  });
}

for (const [text, ascii] of [
  ['EXAMPLE.Com', 'example.com'],
  ['BÜCHER.de', 'xn--bcher-kva.de'],
  ['XN--BCHER-KVA.de', 'xn--bcher-kva.de'],
  ['straße.de', 'xn--strae-oqa.de'],
  ['почта.рф', 'xn--80a1acny.xn--p1ai'],
  ['ｅｘａｍｐｌｅ．com', 'example.com'],
] as const) {
  test(`${text} is read through UTS 46`, (t) => {
    t.is(parseDomainName(text)?.ascii, ascii);
  });
}

test('a name is followed by its parents, down to the registrable domain', (t) => {
  const parents = (text: string) => {
    const domain = parseDomainName(text);
    return domain && [...domainAndParents(domain)];
  };
  t.deepEqual(parents('a.b.example.co.uk'), ['a.b.example.co.uk', 'b.example.co.uk', 'example.co.uk']);
  t.deepEqual(parents('example.com'), ['example.com']);
  t.deepEqual(parents('a.x.cc.cd'), ['a.x.cc.cd', 'x.cc.cd']);
  t.deepEqual(parents('eu.org'), ['eu.org']);
});

test('a parsed name is a host name, parses to itself, and ends with its own parts', (t) => {
  const label = fc.string({ unit: fc.constantFrom(...'ab1-.é用ＡX。_/:%'), minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(label, fc.constantFrom('com', 'co.uk', 'cc.cd', 'zzzz', 'рф'), (left, suffix) => {
      const domain = parseDomainName(`${left}.${suffix}`);
      if (!domain) return;
      t.regex(domain.ascii, /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]+$/);
      t.deepEqual(parseDomainName(domain.ascii), domain);
      t.true(domain.ascii.endsWith(domain.registrable ?? domain.publicSuffix));
    }),
    { numRuns: rounds(2_000) },
  );
});
