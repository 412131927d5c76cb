import { appendFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { type DomainName, parseDomainName } from '../../../src/addresses/email-address.ts';
import {
  createKnownSites,
  hashSiteNames,
  loadKnownSites,
} from '../../../src/processors/email/known-sites.ts';

const models = fileURLToPath(new URL('../../../models/', import.meta.url));
const domain = (name: string): DomainName => {
  const read = parseDomainName(name);
  if (!read) throw new Error(`no domain: ${name}`);
  return read;
};

test('a known site covers its subdomains, and no other name', (t) => {
  const sites = createKnownSites(hashSiteNames(['abc.xyz', 'example.co.uk', 'abc.xyz']));
  t.is(sites.size, 2);
  for (const name of ['abc.xyz', 'mail.abc.xyz', 'shop.example.co.uk']) t.true(sites.has(domain(name)), name);
  for (const name of ['abd.xyz', 'abc.com', 'co.uk', 'other.co.uk']) t.false(sites.has(domain(name)), name);
});

test('a .com name is known by the site of a country, and no other name is', (t) => {
  const sites = createKnownSites(hashSiteNames(['dailypaper.co.uk', 'gadgets.de', 'short.ru', 'plain.net']));
  for (const name of ['dailypaper.com', 'news.dailypaper.com', 'gadgets.com'])
    t.true(sites.hasInCountry(domain(name)), name);
  for (const name of ['short.com', 'plain.com', 'dailypaper.net', 'dailypaper.xyz', 'daily.com', 'co.uk'])
    t.false(sites.hasInCountry(domain(name)), name);
  t.false(sites.has(domain('dailypaper.com')));
});

test('an empty set knows no site', (t) => {
  t.false(createKnownSites(hashSiteNames([])).has(domain('abc.xyz')));
});

test('every name is found, however many there are', (t) => {
  const names = Array.from({ length: 5_000 }, (_, i) => `site-${i}.com`);
  const sites = createKnownSites(hashSiteNames(names));
  t.true(names.every((name) => sites.has(domain(name))));
  const strangers = Array.from({ length: 5_000 }, (_, i) => `other-${i}.com`);
  t.deepEqual(
    strangers.filter((name) => sites.has(domain(name))),
    [],
  );
});

test('the committed sites contain famous ones and no throwaway service', (t) => {
  const sites = loadKnownSites(models);
  for (const name of ['facebook.com', 'canva.com', 'afternic.com', 'volkswagen.de', 'zoom.us'])
    t.true(sites.has(domain(name)), name);
  t.true(sites.hasInCountry(domain('dailymail.com')));
  for (const name of ['mailinator.com', 'yopmail.com', 'guerrillamail.com', 'temp-mail.org', 'x7k2q9.ml']) {
    t.false(sites.has(domain(name)), name);
    t.false(sites.hasInCountry(domain(name)), name);
  }
});

test('hashes that are missing, damaged or of another version are refused with the remedy', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'gatekeeper-models-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  t.throws(() => loadKnownSites(folder), { message: /cannot be used: ENOENT.*npm run train/ });
  cpSync(models, folder, { recursive: true });
  appendFileSync(join(folder, 'known-sites.bin'), 'more');
  t.throws(() => loadKnownSites(folder), { message: /not the file that its manifest names/ });
  writeFileSync(join(folder, 'known-sites.json'), '{"format": 2}');
  t.throws(() => loadKnownSites(folder), { message: /its format is 2, not 1/ });
});
