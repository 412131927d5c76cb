import test from 'ava';
import { parseDomainName } from '../../../src/addresses/email-address.ts';
import type { BurnerNameModel } from '../../../src/processors/email/burner-name-model.ts';
import { judgeDomain } from '../../../src/processors/email/domain-verdict.ts';
import { createKnownSites, hashSiteNames } from '../../../src/processors/email/known-sites.ts';
import { EMAIL_DATASETS } from '../../helpers/email-datasets.ts';

/** Calls every name with a label that ends in 9 burner-like. */
const burnerNames: BurnerNameModel = {
  threshold: 1,
  score: ({ ascii }) => (ascii.includes('9.') ? 2 : 0),
  letters: ({ ascii }) => (ascii.includes('9.') ? 2 : 0),
  logRatio: (score) => score * 2 - 1,
};
const knownSites = createKnownSites(hashSiteNames(['studio9.com', 'beliefnet.com', 'paper9.co.uk']));

function judge(name: string) {
  const domain = parseDomainName(name);
  if (!domain) throw new Error(`no domain: ${name}`);
  return judgeDomain(domain, EMAIL_DATASETS, { burnerNames, knownSites });
}

for (const [name, classification, evidence] of [
  ['stripe.com', 'corporate_email', 'stripe.com'],
  ['mail.stripe.com', 'corporate_email', 'stripe.com'],
  ['gmail.com', 'personal_email', 'gmail.com'],
  ['mail.gmail.com', 'personal_email', 'gmail.com'],
  ['mit.edu', 'education_email', 'edu'],
  ['cs.ox.ac.uk', 'education_email', 'ac.uk'],
  ['mail.uni-bonn.de', 'education_email', 'uni-bonn.de'],
  ['nasa.gov', 'government_email', 'gov'],
  ['gov.uk', 'government_email', 'gov.uk'],
  ['bmi.bund.de', 'government_email', 'bund.de'],
  ['duck.com', 'relay_email', 'duck.com'],
  ['privaterelay.appleid.com', 'relay_email', 'privaterelay.appleid.com'],
] as const) {
  test(`${name} is classified ${classification} by ${evidence}`, (t) => {
    const verdict = judge(name);
    t.is(verdict.classification, classification);
    t.is(verdict.evidence, evidence);
    t.deepEqual(verdict.findings, []);
  });
}

for (const [name, findings] of [
  ['mailinator.com', ['disposable_email: mailinator.com']],
  ['a.b.mailinator.com', ['disposable_email: mailinator.com']],
  ['burner.mooo.com', ['disposable_email: burner.mooo.com']],
  ['x.burner.mooo.com', ['disposable_email: burner.mooo.com']],
  ['ddns.net', ['disposable_email: ddns.net']],
  ['jane.ddns.net', []],
  ['office.feed.gov', ['disposable_email: feed.gov']],
  ['jane.mooo.com', ['free_subdomain_email: mooo.com']],
  [
    'jane9.cc.cd',
    [
      'free_subdomain_email: cc.cd',
      'suspicious_domain: jane9.cc.cd is named like a throwaway domain (2.0 from 1.0)',
    ],
  ],
  ['mail.jane9.mooo.com', ['free_subdomain_email: mooo.com']],
  ['mooo.com', []],
  ['cc.cd', []],
  ['jane.pp.ua', []],
  ['sub.doubtful.de', ['suspicious_domain: doubtful.de is on one list of throwaway domains']],
  ['shop9.com', ['suspicious_domain: shop9.com is named like a throwaway domain (2.0 from 1.0)']],
  ['studio9.com', []],
  ['mail.studio9.com', []],
  ['paper9.com', []],
  ['gmail.com', []],
  ['email.com', []],
  ['gmai1.com', ['misspelled_domain: gmail.com']],
  ['gmail.con', ['misspelled_domain: gmail.com']],
  ['gmail.co', ['misspelled_domain: gmail.com']],
  ['gmail.test', ['undeliverable_email: test is reserved']],
  ['acme.con', ['undeliverable_email: the suffix .con does not exist']],
  ['hotmial.com', ['misspelled_domain: hotmail.com']],
  ['gmaul.com', ['misspelled_domain: gmail.com']],
  ['gotmail.com', ['disposable_email: gotmail.com']],
  ['gmail.mailinator.com', ['disposable_email: mailinator.com']],
  ['shop9.test', ['undeliverable_email: test is reserved']],
  ['xn--80ak6aa92e.com', ['mixed_script_email: the domain xn--80ak6aa92e.com']],
  ['почта.рф', []],
  ['例え.jp', []],
] as const) {
  test(`${name} gives ${findings.join(', ') || 'no finding'}`, (t) => {
    t.deepEqual(
      judge(name).findings.map(({ code, evidence }) => `${code}: ${evidence}`),
      [...findings],
    );
  });
}

for (const [name, parts] of [
  ['shop9.com', ['name_odds', 'score', 'threshold']],
  ['doubtful.de', ['list_odds', 'name_odds', 'score', 'threshold']],
  ['doubtful.test', null],
  ['jane9.cc.cd', ['host_odds', 'name_odds', 'score', 'threshold']],
] as const) {
  test(`what makes ${name} suspicious ${parts ? `is ${parts.join(', ')}` : 'is not asked'}`, (t) => {
    const found = judge(name).findings.find(({ code }) => code === 'suspicious_domain');
    const { domain: _, probability, ...others } = found?.fields ?? {};
    t.deepEqual(parts && Object.keys(others).sort(), parts && [...parts]);
    if (parts) t.true(typeof probability === 'number' && probability > 0 && probability < 1);
  });
}

test('a list and a name together are stronger than either', (t) => {
  const sets = { ...EMAIL_DATASETS, suspected: new Set(['shop8.com', 'shop9.com']) };
  const of = (name: string, datasets = sets) => {
    const domain = parseDomainName(name);
    const verdict = domain && judgeDomain(domain, datasets, { burnerNames, knownSites });
    return verdict?.findings[0]?.fields?.probability ?? 0;
  };
  t.true(of('shop9.com') > of('shop8.com'));
  t.true(of('shop9.com') > of('shop9.com', EMAIL_DATASETS as typeof sets));
});

test('the DNS is left alone where the domain is decided or well known', (t) => {
  for (const name of ['mailinator.com', 'x.test', 'gmail.con', 'gmail.com', 'duck.com'])
    t.false(judge(name).asksDns, name);
  for (const name of ['stripe.com', 'mit.edu', 'nasa.gov', 'jane.mooo.com', 'shop9.com'])
    t.true(judge(name).asksDns, name);
});

test('evidence stays within 200 characters, however long the domain', (t) => {
  const name = `${'a9'.repeat(31)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d9'.repeat(25)}.com`;
  for (const { evidence } of judge(name).findings) t.true((evidence ?? '').length <= 200);
});
