import test from 'ava';
import { academicSuffixes, governmentSuffixes } from '../../../scripts/build-data/public-suffixes.ts';

const governments = new Set(governmentSuffixes());
const schools = new Set(academicSuffixes());

test('governments of the world are there', (t) => {
  const known = [
    'gov',
    'mil',
    'gov.uk',
    'gouv.fr',
    'gob.mx',
    'gub.uy',
    'go.jp',
    'govt.nz',
    'gv.at',
    'mil.br',
    'gov.cn',
  ];
  const written = [
    'gc.ca',
    'admin.ch',
    'bund.de',
    'europa.eu',
    'nhs.uk',
    'gov.ie',
    'lg.jp',
    'gov.au',
    'gov.in',
  ];
  for (const suffix of [...known, ...written]) t.true(governments.has(suffix), suffix);
});

test('what looks like a government and is none is not there', (t) => {
  // A province of Italy; wildcard suffixes, where any label is one; names nobody keeps for a government.
  for (const name of ['go.it', 'gob.jm', 'govt.ck', 'gov.com', 'go.com', 'com', 'uk']) {
    t.false(governments.has(name), name);
  }
});

test('suffixes of schools are there, by the labels edu and ac', (t) => {
  for (const suffix of ['edu', 'ac.uk', 'edu.au', 'ac.jp', 'ac.nz', 'edu.cn', 'edu.br']) {
    t.true(schools.has(suffix), suffix);
  }
  for (const name of ['ac', 'ac.com', 'edu.jm']) t.false(schools.has(name), name);
});
