import test from 'ava';
import { parseDomainName } from '../../../src/addresses/email-address.ts';
import { suggestDomain } from '../../../src/processors/email/misspelled-domain.ts';

function suggestionFor(typed: string) {
  const domain = parseDomainName(typed);
  return domain && suggestDomain(domain);
}

for (const [typed, meant] of [
  ['gmial.com', 'gmail.com'],
  ['gmai.com', 'gmail.com'],
  ['gmaill.com', 'gmail.com'],
  ['gmsil.com', 'gmail.com'],
  ['gmail.co', 'gmail.com'],
  ['gmail.con', 'gmail.com'],
  ['gmail.cm', 'gmail.com'],
  ['gmail.comm', 'gmail.com'],
  ['hotmial.com', 'hotmail.com'],
  ['hotmail.ft', 'hotmail.fr'],
  ['hotmial.fr', 'hotmail.fr'],
  ['hotmail.con', 'hotmail.com'],
  ['yaho.com', 'yahoo.com'],
  ['yahooo.com', 'yahoo.com'],
  ['yahoo.cm', 'yahoo.com'],
  ['yahoo.couk', 'yahoo.co.uk'],
  ['outlok.com', 'outlook.com'],
  ['icloud.co', 'icloud.com'],
  ['protonmial.com', 'protonmail.com'],
  ['aol.co', 'aol.com'],
  ['gmx.dee', 'gmx.de'],
  ['web.d', 'web.de'],
  ['t-online.d', 't-online.de'],
  ['mail.r', 'mail.ru'],
  ['comcast.ent', 'comcast.net'],
] as const) {
  test(`${typed} is a common slip for ${meant}`, (t) => {
    t.deepEqual(suggestionFor(typed), { domain: meant, isCommonSlip: true });
  });
}

for (const [typed, meant] of [
  ['gmial.con', 'gmail.com'],
  ['gmail.fr', 'gmail.com'],
  ['hotmailco.uk', 'hotmail.co.uk'],
  ['gmailcom.com', 'gmail.com'],
  ['gmnail.com', 'gmail.com'],
  ['pritonmial.com', 'protonmail.com'],
] as const) {
  test(`${typed} may mean ${meant}, and is not a common slip`, (t) => {
    t.deepEqual(suggestionFor(typed), { domain: meant, isCommonSlip: false });
  });
}

for (const typed of [
  'gmail.com',
  'hotmail.co.uk',
  'att.com',
  'bt.com',
  'cox.com',
  'ail.com',
  'alo.com',
  'cloud.com',
  'email.com',
  'gotham.com',
  'acme.con',
  'example.cm',
  'stripe.com',
  'company.co',
  'yahoo.co.nz',
  'gmail.example.com',
  'gmial.com.example.com',
  'gmial.com.br.com',
  'a'.repeat(60).concat('.com'),
]) {
  test(`${typed.slice(0, 30)} is no misspelling`, (t) => {
    t.is(suggestionFor(typed), null);
  });
}

test('of each great provider, hundreds of slips of one key lead back to it', (t) => {
  const providers = ['gmail.com', 'yahoo.com', 'hotmail.com', 'outlook.com', 'icloud.com', 'protonmail.com'];
  for (const provider of providers) {
    const slips = slipsOf(provider);
    const right = slips.filter((typed) => suggestionFor(typed)?.domain === provider);
    t.true(right.length >= 0.95 * slips.length, `${provider}: ${right.length} of ${slips.length}`);
  }
});

/** Letters swapped, doubled or left out after the first, and suffixes that people get wrong. */
function slipsOf(provider: string): readonly string[] {
  const dot = provider.indexOf('.');
  const name = provider.slice(0, dot);
  const slips = new Set(['co', 'cm', 'con', 'cpm', 'vom', 'comm', 'ocm', 'cmo'].map((s) => `${name}.${s}`));
  for (let i = 1; i < name.length; i++) {
    const [before, key, after] = [name.slice(0, i), name.charAt(i), name.slice(i + 1)];
    slips.add(`${before}${after}.com`).add(`${before}${key}${key}${after}.com`);
    slips.add(`${before.slice(0, -1)}${key}${before.slice(-1)}${after}.com`);
  }
  slips.delete(provider);
  return [...slips];
}
