import { domainToUnicode } from 'node:url';
import { type DomainName, domainAndParents } from '../../addresses/domain-name.ts';
import type { EvidenceFields } from '../../assessment/evidence-fields.ts';
import type { Finding } from '../../assessment/processor.ts';
import type { ClassificationCode } from '../../assessment/reasons.ts';
import type { DomainSet, EmailDatasets } from '../../datasets/datasets.ts';
import type { BurnerNameModel } from './burner-name-model.ts';
import { suggestDomain } from './misspelled-domain.ts';
import { whyUndeliverable } from './reserved-names.ts';

/** The result for an address from its domain only, without the network. */
export interface DomainVerdict {
  readonly classification: ClassificationCode;
  /** The name that decided the classification. */
  readonly evidence: string;
  readonly fields: EvidenceFields;
  readonly findings: readonly Finding[];
  /** Whether the DNS could change the result: false when it is certain, or the provider well known. */
  readonly asksDns: boolean;
}

/** Judges a domain by the data sets and the name model. Pure, and worth caching: about 20 to 150 µs. */
export function judgeDomain(
  domain: DomainName,
  datasets: EmailDatasets,
  burnerNames: BurnerNameModel,
): DomainVerdict {
  const { classification, evidence } = classify(domain, datasets);
  const undeliverable = whyUndeliverable(domain);
  const disposable = nameIn(domain, datasets.disposable);
  const findings: Finding[] = [];
  if (undeliverable !== null) findings.push({ code: 'undeliverable_email', ...undeliverable });
  if (disposable !== null) {
    findings.push({ code: 'disposable_email', evidence: disposable, fields: { domain: disposable } });
  }
  // The name of a known provider, school or authority needs no model.
  if (classification === 'corporate_email' && disposable === null) {
    findings.push(...guessesAbout(domain, datasets, burnerNames, undeliverable === null));
  }
  if (domain.ascii.includes('xn--') && hasLookAlikeLetters(domainToUnicode(domain.ascii), suffixOf(domain))) {
    findings.push({
      code: 'mixed_script_email',
      evidence: `the domain ${domain.ascii}`,
      fields: { part: 'domain', domain: domain.ascii },
    });
  }
  const isDecided = undeliverable !== null || disposable !== null;
  const isKnownProvider = classification === 'personal_email' || classification === 'relay_email';
  const fields = { domain: evidence };
  return { classification, evidence, fields, findings, asksDns: !isDecided && !isKnownProvider };
}

/** The suffix with a leading dot, for the check of look-alike letters. */
export function suffixOf({ publicSuffix }: DomainName): string {
  return `.${publicSuffix}`;
}

function classify(
  domain: DomainName,
  { government, academic, relays, freeProviders }: EmailDatasets,
): { classification: ClassificationCode; evidence: string } {
  const kinds = [
    ['government_email', nameUpToTop(domain, government)],
    ['education_email', nameUpToTop(domain, academic)],
    ['relay_email', nameIn(domain, relays)],
    ['personal_email', nameIn(domain, freeProviders)],
  ] as const;
  for (const [classification, evidence] of kinds) {
    if (evidence !== null) return { classification, evidence };
  }
  return { classification: 'corporate_email', evidence: domain.registrable ?? domain.ascii };
}

function guessesAbout(
  domain: DomainName,
  datasets: EmailDatasets,
  burnerNames: BurnerNameModel,
  canExist: boolean,
): Finding[] {
  const findings: Finding[] = [];
  const host = freeSubdomainHost(domain, datasets.freeSubdomainHosts);
  if (host !== null) {
    findings.push({ code: 'free_subdomain_email', evidence: host, fields: { domain: host } });
  }
  const suspected = nameIn(domain, datasets.suspected);
  const meant = suggestDomain(domain.ascii);
  if (suspected !== null) {
    findings.push({
      code: 'suspicious_domain',
      evidence: `${suspected} is on one list of throwaway domains`,
      fields: { domain: suspected },
    });
  } else if (host === null && meant === null && canExist) {
    const score = burnerNames.score(domain);
    if (score !== null && score >= burnerNames.threshold) {
      const { threshold } = burnerNames;
      const evidence = `${domain.registrable} is named like a throwaway domain (${score.toFixed(1)} from ${threshold.toFixed(1)})`;
      findings.push({
        code: 'suspicious_domain',
        evidence: evidence.slice(-200),
        fields: { domain: domain.registrable ?? domain.ascii, score, threshold },
      });
    }
  }
  if (meant !== null) {
    findings.push({ code: 'misspelled_domain', evidence: meant, fields: { suggestion: meant } });
  }
  return findings;
}

/** The name or the nearest parent in the set, up to the registrable domain. */
export function nameIn(domain: DomainName, set: DomainSet): string | null {
  for (const name of domainAndParents(domain)) if (set.has(name)) return name;
  return null;
}

/** The same up to the top-level domain: sets of suffixes such as `gov.uk`. */
function nameUpToTop({ ascii }: DomainName, set: DomainSet): string | null {
  for (let name = ascii; ; name = name.slice(name.indexOf('.') + 1)) {
    if (set.has(name)) return name;
    if (!name.includes('.')) return null;
  }
}

/** The host above the name; never the name itself. */
function freeSubdomainHost(domain: DomainName, hosts: DomainSet): string | null {
  const { ascii, publicSuffix, registrable, suffixKind } = domain;
  if (suffixKind === 'private' && registrable !== null && hosts.has(publicSuffix)) return publicSuffix;
  for (const name of domainAndParents(domain)) if (name !== ascii && hosts.has(name)) return name;
  return null;
}

/** Scripts with letters that look like Latin or like one another. Mixed inside one label they deceive. */
const CONFUSABLE_SCRIPTS: readonly RegExp[] = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
  /\p{Script=Coptic}/u,
];

/**
 * Cyrillic and Greek letters that look exactly like ASCII letters: a word of only such letters imitates an ASCII word.
 */
const LOOK_ALIKES = /^[асԁеһіјӏоԛѕѵхуԝрҽυονιραАВЕКМНОРСТХУΑΒΕΖΗΙΚΜΝΟΡΤΥΧ0-9._-]+$/u;
/** Countries where these words are ordinary, and international suffixes, where no name imitates ASCII. */
const HOME_SUFFIXES = /\.(?:ru|su|ua|by|bg|kz|kg|mk|mn|rs|me|ba|md|tj|uz|ge|am|gr|cy|eu|xn--[a-z0-9-]+)$/;

/**
 * Whether a text imitates another text: a label that mixes scripts with similar letters; a label of only Cyrillic or
 * Greek letters that all look like ASCII (outside the countries where these words are ordinary); or letters drawn like
 * ASCII letters (full-width, mathematical). A text in one other script passes, and so does Latin beside Japanese,
 * Chinese, Korean or any script with different letters (UTS 39 section 5.2).
 * @param text A local part or the Unicode form of a domain's labels.
 * @param suffix The domain's suffix as A-labels with a leading dot, which decides whether the words may be ordinary.
 */
export function hasLookAlikeLetters(text: string, suffix: string): boolean {
  if (isPrintableAscii(text)) return false;
  if (isPrintableAscii(text.normalize('NFKC'))) return true;
  return text.split(/[.@_+-]/u).some((word) => {
    if (CONFUSABLE_SCRIPTS.filter((script) => script.test(word)).length > 1) return true;
    return LOOK_ALIKES.test(word) && !isPrintableAscii(word) && !HOME_SUFFIXES.test(suffix);
  });
}

function isPrintableAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}
