import { parseDomainName } from '../../src/addresses/email-address.ts';

/** Second-level labels that registries keep for their government, wherever the public suffix list has them. */
const LABELS = ['gov', 'govt', 'gob', 'gub', 'gouv', 'mil', 'gv'];

/** The countries in which `go` means government. Elsewhere it has other meanings: `go.it` is the province of Gorizia. */
const GO_COUNTRIES = ['jp', 'kr', 'th', 'id', 'ke', 'tz', 'ug', 'cr', 'ci', 'tj'];

/**
 * Domains that no rule finds: top-level domains of governments, suffixes with other labels, and names that a government
 * itself uses, which are not in the public suffix list.
 */
const WRITTEN = [
  ...['gov', 'mil', 'europa.eu', 'nato.int', 'un.org', 'fed.us', 'nsn.us'],
  ...['gc.ca', 'canada.ca', 'gov.ab.ca', 'gov.bc.ca', 'gov.mb.ca', 'gov.nl.ca', 'gov.ns.ca', 'gov.on.ca'],
  ...['gov.pe.ca', 'gov.sk.ca', 'gov.nt.ca', 'gov.nu.ca', 'gov.yk.ca', 'gnb.ca', 'ontario.ca', 'gouv.qc.ca'],
  ...[
    'nhs.uk',
    'police.uk',
    'mod.uk',
    'parliament.uk',
    'gov.scot',
    'gov.wales',
    'llyw.cymru',
    'parliament.scot',
  ],
  ...['bund.de', 'bundestag.de', 'bundeswehr.org', 'auswaertiges-amt.de', 'bayern.de', 'nrw.de', 'hessen.de'],
  ...[
    'admin.ch',
    'parlament.ch',
    'belgium.be',
    'fgov.be',
    'vlaanderen.be',
    'overheid.nl',
    'rijksoverheid.nl',
  ],
  ...['stat.no', 'dep.no', 'regjeringen.no', 'stortinget.no', 'regeringen.se', 'gov.se', 'riksdagen.se'],
  ...[
    'gov.ie',
    'gov.cz',
    'gov.sk',
    'gov.si',
    'gov.hu',
    'gov.bg',
    'gov.ro',
    'gov.hr',
    'gov.fi',
    'gov.me',
    'valtioneuvosto.fi',
  ],
  ...['gencat.cat', 'euskadi.eus', 'juntadeandalucia.es', 'xunta.gal', 'lg.jp', 'parliament.nz', 'mod.gi'],
  ...['leg.br', 'jus.br', 'mp.br', 'def.br', 'nic.in', 'gok.pk', 'gos.pk'],
];

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

/**
 * Domains under which only governments get names. Derived by label from the public suffix list, for all two-letter
 * top-level domains, and joined with the list above.
 */
export function governmentSuffixes(): string[] {
  const derived = countries().flatMap((country) => {
    // Under `*.jm` every second-level name is a suffix, so the list does not show which labels are in use.
    const labels = isRegistrySuffix(`any-other-name.${country}`) ? ['gov'] : labelsOf(country);
    return labels.map((label) => `${label}.${country}`).filter(isRegistrySuffix);
  });
  return [...new Set([...WRITTEN, ...derived])].sort();
}

/** `edu` and the suffixes that countries keep for schools: `ac.uk`, `edu.au`. By label, as above. */
export function academicSuffixes(): string[] {
  const derived = countries().flatMap((country) => {
    if (isRegistrySuffix(`any-other-name.${country}`)) return [];
    return ['edu', 'ac'].map((label) => `${label}.${country}`).filter(isRegistrySuffix);
  });
  return ['edu', ...derived].sort();
}

function countries(): string[] {
  return LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
}

function labelsOf(country: string): string[] {
  return GO_COUNTRIES.includes(country) ? [...LABELS, 'go'] : LABELS;
}

function isRegistrySuffix(name: string): boolean {
  const domain = parseDomainName(name);
  return domain?.registrable === null && domain.suffixKind === 'icann';
}
