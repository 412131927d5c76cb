import test from 'ava';
import { deriveEmailSets, type EmailLists } from '../../../scripts/build-data/email-sets.ts';

const lists = (given: Partial<EmailLists>): EmailLists => ({
  ...{ curated: [], wide: [], providers: [], commonProviders: [], schools: [], schoolSuffixes: [] },
  ...{ governments: ['gov', 'gov.uk'], roles: [] },
  ...given,
});

test('one curated list makes a name disposable, wide ones only where two agree', (t) => {
  const { disposable, suspected } = deriveEmailSets(
    lists({
      curated: [['curated.com']],
      wide: [
        ['both.com', 'one.com'],
        ['Both.com ', 'curated.com'],
      ],
    }),
  );
  t.deepEqual(disposable, ['both.com', 'curated.com']);
  t.deepEqual(suspected, ['one.com']);
});

test('a list that names one twice has one vote', (t) => {
  const { disposable, suspected } = deriveEmailSets(lists({ wide: [['one.com', 'ONE.com'], []] }));
  t.deepEqual(disposable, []);
  t.deepEqual(suspected, ['one.com']);
});

test('names that are no domains, and suffixes of countries, are dropped', (t) => {
  const { disposable } = deriveEmailSets(
    lists({ curated: [['co.uk', 'com', 'edu.pl', '', 'a b.com', '-']] }),
  );
  t.deepEqual(disposable, []);
});

test('names are A-labels', (t) => {
  t.deepEqual(deriveEmailSets(lists({ curated: [['bücher.com']] })).disposable, ['xn--bcher-kva.com']);
});

test('schools, governments, relays and known providers are never burners', (t) => {
  const clean = ['mit.edu', 'mail.mit.edu', 'council.gov.uk', 'duck.com', 'gmail.com', 'gmx.de'];
  const { disposable, suspected } = deriveEmailSets(
    lists({ curated: [clean], wide: [clean, clean], schools: ['mit.edu'] }),
  );
  t.deepEqual([disposable, suspected], [[], []]);
});

test('a common provider stays one where only wide lists doubt it, not where a curated list names it', (t) => {
  const { disposable, freeProviders, protectedProviders } = deriveEmailSets(
    lists({
      curated: [['throwaway-mail.com']],
      wide: [['regional-mail.com'], ['regional-mail.com']],
      providers: ['throwaway-mail.com', 'regional-mail.com'],
      commonProviders: ['throwaway-mail.com', 'regional-mail.com'],
    }),
  );
  t.deepEqual(disposable, ['throwaway-mail.com']);
  t.true(freeProviders.includes('regional-mail.com'));
  t.false(freeProviders.includes('throwaway-mail.com'));
  t.true(protectedProviders.includes('regional-mail.com'));
  t.false(protectedProviders.includes('throwaway-mail.com'));
});

test('a little-known provider that any list names is no provider', (t) => {
  const { freeProviders, suspected } = deriveEmailSets(
    lists({ wide: [['odd-mail.com']], providers: ['odd-mail.com', 'fine-mail.com'] }),
  );
  t.deepEqual(suspected, ['odd-mail.com']);
  t.false(freeProviders.includes('odd-mail.com'));
  t.true(freeProviders.includes('fine-mail.com'));
});

test('relays are not free providers', (t) => {
  const { freeProviders, relays } = deriveEmailSets(lists({ providers: ['duck.com'] }));
  t.true(relays.includes('duck.com'));
  t.false(freeProviders.includes('duck.com'));
});

test('a private suffix that a list names gives subdomains away, and is matched exactly', (t) => {
  const { disposable, freeSubdomainHosts } = deriveEmailSets(lists({ curated: [['ddns.net']] }));
  t.deepEqual(disposable, ['ddns.net']);
  t.deepEqual(freeSubdomainHosts, ['ddns.net']);
});

const under = (host: string, count: number) => Array.from({ length: count }, (_, i) => `b${i}.${host}`);

test('five burners directly under one name make it a host, four do not', (t) => {
  const { freeSubdomainHosts } = deriveEmailSets(
    lists({ wide: [[...under('many.com', 5), ...under('few.com', 4), ...under('dynv6.net', 5)]] }),
  );
  t.deepEqual(freeSubdomainHosts, ['dynv6.net', 'many.com']);
});

test('a suffix that sells its names, a provider and a listed burner are no hosts', (t) => {
  const { freeSubdomainHosts } = deriveEmailSets(
    lists({
      curated: [['burner.com', ...under('burner.com', 9)]],
      wide: [[...under('co.com', 9), ...under('gmx.de', 9), ...under('craigslist.org', 9)]],
    }),
  );
  t.deepEqual(freeSubdomainHosts, []);
});

test('a school suffix where anybody gets names is none', (t) => {
  const { academic } = deriveEmailSets(
    lists({
      curated: [[...under('edu.pl', 5), ...under('ac.uk', 1), ...under('edu', 9)]],
      schools: ['tum.de', 'uw.edu.pl'],
      schoolSuffixes: ['ac.uk', 'edu', 'edu.pl'],
    }),
  );
  t.deepEqual(academic, ['ac.uk', 'edu', 'tum.de', 'uw.edu.pl']);
});

test('roles are lower case, without names of people', (t) => {
  t.deepEqual(deriveEmailSets(lists({ roles: ['Info ', 'alexa', '', 'sales'] })).roles, ['info', 'sales']);
});

test('the order within lists does not change the sets', (t) => {
  const a = ['x.com', 'y.com', 'z.com'];
  const one = deriveEmailSets(lists({ curated: [a], wide: [under('many.com', 6)] }));
  const other = deriveEmailSets(
    lists({ curated: [a.toReversed()], wide: [under('many.com', 6).toReversed()] }),
  );
  t.deepEqual(one, other);
});
