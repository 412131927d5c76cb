import test from 'ava';
import { RELAYS } from '../../scripts/build-data/known-domains.ts';
import { domainAndParents, parseDomainName } from '../../src/addresses/email-address.ts';
import { readBuiltInFiles } from '../../src/datasets/built-in-files.ts';
import type { DomainSet } from '../../src/datasets/datasets.ts';
import { loadEmailDatasets } from '../../src/datasets/email-datasets.ts';
import { builtDatasetsFolder } from '../helpers/built-datasets.ts';
import { sharedLines } from '../helpers/shared-data.ts';

const email = loadEmailDatasets(await readBuiltInFiles(builtDatasetsFolder));

/** As the email processor asks: from the host down to the registrable domain. */
function matches(set: DomainSet, text: string): boolean {
  const domain = parseDomainName(text);
  return domain !== null && [...domainAndParents(domain)].some((name) => set.has(name));
}

const members: [set: Exclude<keyof typeof email, 'roles'>, names: string[]][] = [
  [
    'disposable',
    ['mailinator.com', 'guerrillamail.com', 'yopmail.com', '10minutemail.com', 'x.mailinator.com'],
  ],
  [
    'freeProviders',
    ['gmail.com', 'gmx.de', 'fastmail.com', 'tuta.com', 'hey.com', 'mail.ru', 'qq.com', 'dr.com'],
  ],
  ['relays', ['duck.com', 'privaterelay.appleid.com', 'mozmail.com', 'addy.io', 'simplelogin.com']],
  ['academic', ['mit.edu', 'ox.ac.uk', 'tum.de', 'nus.edu.sg', 'ac.uk', 'edu']],
  [
    'government',
    ['gov', 'mil', 'gov.uk', 'gouv.fr', 'gob.mx', 'go.jp', 'gc.ca', 'admin.ch', 'bund.de', 'gov.br'],
  ],
  ['freeSubdomainHosts', ['cc.cd', 'ddns.net', 'linkpc.net', 'eu.org', 'duckdns.org']],
];

for (const [name, names] of members) {
  test(`${name} contains the well-known entries`, (t) => {
    const set = email[name];
    for (const domain of names) t.true(set.has(domain) || matches(set, domain), domain);
  });
}

const clean = [
  ...[
    'gmail.com',
    'outlook.com',
    'yandex.net',
    'a.com',
    'nus.edu.sg',
    'google.com',
    'microsoft.com',
    'comcast.net',
  ],
  ...[
    'mail.ru',
    'duck.com',
    'mozmail.com',
    'privaterelay.appleid.com',
    'lavabit.com',
    'consultant.com',
    'x.edu.pl',
  ],
];

test('providers, relays and companies on some list of throwaway services are not disposable', (t) => {
  for (const domain of clean) t.false(matches(email.disposable, domain), domain);
});

test('the registrable domain of each relay is open to everyone too, since velocity counts it', (t) => {
  for (const relay of RELAYS) {
    const domain = parseDomainName(relay)?.registrable ?? relay;
    t.true(email.relays.has(domain) || email.freeProviders.has(domain), domain);
  }
});

test('mailboxes of access providers are those of people', (t) => {
  for (const domain of ['netcologne.de', 'hinet.net', 'siol.net', 'home.ne.jp', 'softbank.jp', 'sify.com']) {
    t.true(email.freeProviders.has(domain), domain);
    t.false(matches(email.disposable, domain), domain);
  }
});

test('a public suffix is in no set of burners, so that no country is', (t) => {
  for (const suffix of ['com', 'co.uk', 'edu.pl', 'edu.kg', 'com.br', 'ac.uk', 'gov.uk', 'cn', 'ga']) {
    t.false(email.disposable.has(suffix) || email.suspected.has(suffix), suffix);
  }
});

test('role accounts are roles, and names of people and places are not', (t) => {
  for (const role of ['info', 'admin', 'postmaster', 'noreply', 'sales', 'abuse'])
    t.true(email.roles.has(role), role);
  for (const name of ['alexa', 'paris', 'ca', 'md', '']) t.false(email.roles.has(name), name);
});

const CLEAN_LISTS = ['university-domains.txt', 'us-government-domains.txt', 'top-domains.txt'];

for (const name of CLEAN_LISTS) {
  test(`no domain of ${name} is disposable, and at most one in 200 is suspected`, (t) => {
    const { content: domains } = sharedLines(name);
    t.deepEqual(
      domains.filter((domain) => matches(email.disposable, domain)),
      [],
    );
    t.true(domains.filter((domain) => matches(email.suspected, domain)).length <= domains.length / 200);
  });
}

test('the lists alone know nine of ten live disposable domains', (t) => {
  const { content: domains } = sharedLines('disposable-domains-live.txt');
  const known = domains.filter(
    (domain) => matches(email.disposable, domain) || matches(email.suspected, domain),
  );
  t.log(`${known.length} of ${domains.length}`);
  t.true(known.length >= 0.9 * domains.length);
});

test('nearly every .gov domain is a government, and most universities are academic', (t) => {
  const { content: government } = sharedLines('us-government-domains.txt');
  const { content: universities } = sharedLines('university-domains.txt');
  const inSet = (set: DomainSet, text: string) => {
    const domain = parseDomainName(text);
    return domain !== null && (matches(set, text) || set.has(domain.publicSuffix));
  };
  t.true(government.every((domain) => inSet(email.government, domain)));
  t.true(universities.filter((domain) => inSet(email.academic, domain)).length >= 0.8 * universities.length);
});
