import { domainToUnicode } from 'node:url';
import { type DomainName, domainAndParents } from '../../addresses/email-address.ts';
import type { EvidenceFields } from '../../assessment/evidence-fields.ts';
import type { Finding } from '../../assessment/processor.ts';
import type { ClassificationCode } from '../../assessment/reasons.ts';
import type { DomainSet, EmailDatasets } from '../../datasets/datasets.ts';
import type { BurnerNameModel } from './burner-name-model.ts';
import { weighDomain } from './domain-suspicion.ts';
import type { EmailModels } from './email-models.ts';
import { suggestDomain } from './misspelled-domain.ts';
import { whyUndeliverable } from './reserved-names.ts';

/** The result for an email address from its domain only, without the network. */
export interface DomainVerdict {
  readonly classification: ClassificationCode;
  /** The name that decided the classification. */
  readonly evidence: string;
  readonly fields: EvidenceFields;
  readonly findings: readonly Finding[];
  /** Whether the DNS could change the result. False when the result is certain, or the provider is well known. */
  readonly asksDns: boolean;
}

/** The models for guesses about a name. */
export type DomainModels = Pick<EmailModels, 'burnerNames' | 'knownSites'>;

/**
 * Judges a domain by the data sets and the name model. The function is pure. Callers cache its result, since it takes
 * about 20 to 150 µs.
 */
export function judgeDomain(
  domain: DomainName,
  datasets: EmailDatasets,
  models: DomainModels,
): DomainVerdict {
  const listed = nameIn(domain, datasets.disposable);
  const known = classify(domain, datasets);
  const meant = meantDomain(domain, known.classification, listed !== null);
  const { classification, evidence } = meant === null ? known : corporate(domain);
  const undeliverable = meant === null ? whyUndeliverable(domain) : null;
  const disposable = meant === null ? listed : null;
  const findings: Finding[] = [];
  if (meant !== null) {
    // Marked as shared: a person who makes a typing error must verify, and is never refused because of it.
    findings.push({
      code: 'misspelled_domain',
      evidence: meant,
      fields: { suggestion: meant },
      shared: true,
    });
  }
  if (undeliverable !== null) findings.push({ code: 'undeliverable_email', ...undeliverable });
  if (disposable !== null) {
    findings.push({ code: 'disposable_email', evidence: disposable, fields: { domain: disposable } });
  }
  // No model is needed for the name of a known provider, school or authority.
  if (classification === 'corporate_email' && meant === null && disposable === null) {
    findings.push(...guessesAbout(domain, datasets, models, undeliverable === null));
  }
  if (domain.ascii.includes('xn--') && hasLookAlikeLetters(domainToUnicode(domain.ascii), suffixOf(domain))) {
    findings.push({
      code: 'mixed_script_email',
      evidence: `the domain ${domain.ascii}`,
      fields: { part: 'domain', domain: domain.ascii },
    });
  }
  const isDecided = meant !== null || undeliverable !== null || disposable !== null;
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
  return corporate(domain);
}

function corporate({ registrable, ascii }: DomainName) {
  return { classification: 'corporate_email', evidence: registrable ?? ascii } as const;
}

/**
 * The domain of the provider that the sender probably meant. The lists of throwaway domains and of providers also
 * contain typing errors of people, so for a domain on such a list only a common typing error counts. A reserved name
 * (`gmail.test`) is not a typing error.
 */
function meantDomain(
  domain: DomainName,
  classification: ClassificationCode,
  isDisposable: boolean,
): string | null {
  const isProvider = classification === 'personal_email';
  if (!isProvider && classification !== 'corporate_email') return null;
  const suggestion = suggestDomain(domain);
  if (suggestion === null || whyUndeliverable(domain)?.fields.cause === 'reserved_name') return null;
  return suggestion.isCommonSlip || !(isDisposable || isProvider) ? suggestion.domain : null;
}

function guessesAbout(
  domain: DomainName,
  datasets: EmailDatasets,
  { burnerNames, knownSites }: DomainModels,
  canExist: boolean,
): Finding[] {
  const findings: Finding[] = [];
  const host = freeSubdomainHost(domain, datasets.freeSubdomainHosts);
  if (host !== null) {
    findings.push({ code: 'free_subdomain_email', evidence: host, fields: { domain: host } });
  }
  if (knownSites.has(domain)) return findings;
  const suspected = nameIn(domain, datasets.suspected);
  const score = canExist ? burnerNames.score(domain) : null;
  const isNamedLikeBurner = score !== null && score >= burnerNames.threshold;
  if (suspected === null && !(isNamedLikeBurner && isOwnName(domain, host))) return findings;
  if (knownSites.hasInCountry(domain)) return findings;
  findings.push(suspicion(domain, { suspected, host, score }, burnerNames));
  return findings;
}

/** Whether the model rates the name itself. Below `mooo.com`, it would rate the name of the host. */
function isOwnName({ publicSuffix }: DomainName, host: string | null): boolean {
  return host === null || host === publicSuffix;
}

function suspicion(
  domain: DomainName,
  {
    suspected,
    host,
    score,
  }: Readonly<Record<'suspected' | 'host', string | null> & { score: number | null }>,
  { threshold, letters, logRatio }: BurnerNameModel,
): Finding {
  const { probability, parts, strength } = weighDomain({
    name: score === null ? null : logRatio(score),
    letters: letters(domain),
    isListed: suspected !== null,
    isUnderHost: host !== null,
  });
  const name = suspected ?? domain.registrable ?? domain.ascii;
  const evidence =
    suspected === null
      ? `${name} is named like a throwaway domain (${score?.toFixed(1)} from ${threshold.toFixed(1)})`
      : `${name} is on one list of throwaway domains`;
  const fields: EvidenceFields = {
    domain: name,
    ...(score !== null && { score, threshold }),
    probability: rounded(probability),
    ...(parts.name !== undefined && { name_odds: rounded(parts.name) }),
    ...(parts.list !== undefined && { list_odds: parts.list }),
    ...(parts.host !== undefined && { host_odds: parts.host }),
  };
  // Marked as shared: a guess leads to a verification, and never counts as the second red flag of a refusal.
  return { code: 'suspicious_domain', evidence: evidence.slice(-200), fields, strength, shared: true };
}

function rounded(value: number): number {
  return Number(value.toFixed(3));
}

/** The name itself, or its nearest parent that the set contains. The search ends at the registrable domain. */
export function nameIn(domain: DomainName, set: DomainSet): string | null {
  for (const name of domainAndParents(domain)) if (set.has(name)) return name;
  return null;
}

/** The same search up to the top-level domain, for sets of suffixes such as `gov.uk`. */
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
/**
 * The suffixes of countries where these words are ordinary, and international suffixes, under which no name imitates
 * ASCII.
 */
const HOME_SUFFIXES = /\.(?:ru|su|ua|by|bg|kz|kg|mk|mn|rs|me|ba|md|tj|uz|ge|am|gr|cy|eu|xn--[a-z0-9-]+)$/;

/**
 * Whether a text imitates another text: a label that mixes scripts with similar letters; a label of only Cyrillic or
 * Greek letters that all look like ASCII (outside the countries where these words are ordinary); or letters drawn like
 * ASCII letters (full-width, mathematical). A text in one other script is no imitation. Neither is Latin beside
 * Japanese, Chinese, Korean or any script with different letters (UTS 39 section 5.2).
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
