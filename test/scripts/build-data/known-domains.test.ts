import test from 'ava';
import {
  FREE_PROVIDERS,
  NOT_HOSTS,
  PAID_SUFFIXES,
  RELAYS,
  WRITTEN_ON,
} from '../../../scripts/build-data/known-domains.ts';
import { parseDomainName } from '../../../src/addresses/email-address.ts';

test('every written name is a domain in the form that sets hold', (t) => {
  for (const name of [...FREE_PROVIDERS, ...RELAYS, ...PAID_SUFFIXES, ...NOT_HOSTS]) {
    t.is(parseDomainName(name)?.ascii, name, name);
  }
});

test('a suffix that sells names is a private suffix, so that the rule is needed', (t) => {
  const others = PAID_SUFFIXES.filter((name) => parseDomainName(name)?.suffixKind !== 'private');
  t.deepEqual(others, []);
});

test('no provider is a public suffix', (t) => {
  t.deepEqual(
    FREE_PROVIDERS.filter((name) => parseDomainName(name)?.registrable === null),
    [],
  );
});

test('the lists say when they were written', (t) => {
  t.regex(WRITTEN_ON, /^\d{4}-\d{2}-\d{2}$/);
});
