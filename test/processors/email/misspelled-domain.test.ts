import test from 'ava';
import { suggestDomain } from '../../../src/processors/email/misspelled-domain.ts';

for (const [typed, meant] of [
  ['gmial.com', 'gmail.com'],
  ['gmai.com', 'gmail.com'],
  ['gmaill.com', 'gmail.com'],
  ['gmail.co', 'gmail.com'],
  ['gmail.con', 'gmail.com'],
  ['hotmial.com', 'hotmail.com'],
  ['yahooo.com', 'yahoo.com'],
  ['outlok.com', 'outlook.com'],
  ['icloud.co', 'icloud.com'],
  ['protonmial.com', 'protonmail.com'],
  ['aol.co', 'aol.com'],
  ['hotmial.fr', 'hotmail.fr'],
  ['hotmail.con', 'hotmail.com'],
  ['yahoo.cm', 'yahoo.com'],
] as const) {
  test(`${typed} was meant to be ${meant}`, (t) => {
    t.is(suggestDomain(typed), meant);
  });
}

for (const typed of [
  'gmail.com',
  'att.com',
  'bt.com',
  'cox.com',
  'ail.com',
  'acme.con',
  'example.cm',
  'stripe.com',
  'company.co',
  'yahoo.co.nz',
  'gmail.example.com',
  'a'.repeat(200),
]) {
  test(`${typed.slice(0, 30)} is no misspelling`, (t) => {
    t.is(suggestDomain(typed), null);
  });
}
