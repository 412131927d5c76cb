import type { DomainName } from '../../addresses/email-address.ts';
import { GREAT_PROVIDERS } from './great-providers.generated.ts';
import { typingDistance } from './typing-distance.ts';

/** The length of the longest name and suffix, plus two letters. */
const MAX_LENGTH = 24;
/**
 * The limit depends on the length of the name: shorter names differ by one letter from many others (bt.com, att.com,
 * aol.com).
 */
const MIN_NAME_OF_ONE_ERROR = 5;
/** From this length on, any one key may be wrong, or a swap and one wrong neighbouring key may occur together. */
const MIN_NAME_OF_ANY_KEY = 6;
const MIN_NAME_OF_TWO_ERRORS = 8;
const ONE_LIKELY_ERROR = 1.1;
const ONE_ERROR = 1.2;
/** The limit for a suffix that does not exist: its first letter may be wrong too (`.vom`, `.xom`). */
const ONE_ERROR_OF_SUFFIX = 1.3;
const TWO_ERRORS = 1.8;
const COMMON_SLIP = 1;
/**
 * Frequent typing errors for a suffix such as `com` or `net`: a letter is missing, changed or doubled. Some of these
 * suffixes exist.
 */
const LIKELY_SLIPS: ReadonlySet<string> = new Set(['co', 'cm', 'om', 'cam', 'ne', 'et', 'nt', 'r', 'comm']);

/** The domain that the sender probably meant, and its distance from the typed domain. */
interface Candidate {
  readonly domain: string;
  readonly distance: number;
}

export interface DomainSuggestion {
  readonly domain: string;
  /**
   * Whether it is a common typing error. Such a correction is also valid for a domain on lists, since these lists
   * contain typing errors.
   */
  readonly isCommonSlip: boolean;
}

/**
 * The domain of a great mail provider that this domain probably misspells. The caller excludes the domains of known
 * providers: `email.com` is real.
 */
export function suggestDomain({ ascii, registrable, suffixKind }: DomainName): DomainSuggestion | null {
  // The owner of a domain also owns all names below it.
  if (ascii.length > MAX_LENGTH || registrable !== ascii) return null;
  const dot = ascii.indexOf('.');
  const typed = {
    ascii,
    name: ascii.slice(0, dot),
    suffix: ascii.slice(dot + 1),
    withoutDots: ascii.replaceAll('.', ''),
    exists: suffixKind !== 'unknown',
  };
  let best: Candidate | null = null;
  for (const provider of GREAT_PROVIDERS) {
    const candidate = candidateAt(provider, typed);
    if (candidate && (best === null || candidate.distance < best.distance)) best = candidate;
  }
  if (best === null || best.distance === 0) return null;
  return { domain: best.domain, isCommonSlip: best.distance <= COMMON_SLIP };
}

type Provider = (typeof GREAT_PROVIDERS)[number];

interface TypedDomain {
  readonly ascii: string;
  readonly withoutDots: string;
  readonly name: string;
  readonly suffix: string;
  /** Whether the suffix exists. */
  readonly exists: boolean;
}

function candidateAt({ name, suffixes, isOneCompany }: Provider, typed: TypedDomain) {
  const limitOfName = limitFor(name);
  const nameDistance = typingDistance(typed.name, name, limitOfName);
  if (nameDistance > limitOfName) return withoutDot(name, suffixes, typed);
  const nearest = nearestSuffix(suffixes, typed.suffix);
  const candidate = (suffix: string, distance: number): Candidate => ({
    domain: `${name}.${suffix}`,
    distance: nameDistance + distance,
  });
  if (nearest.distance === 0) return candidate(nearest.suffix, 0);
  const isSlip = !typed.exists || (LIKELY_SLIPS.has(typed.suffix) && name.length > 2);
  const limit = typed.exists ? ONE_ERROR : ONE_ERROR_OF_SUFFIX;
  if (isSlip && nearest.distance <= limit) return candidate(nearest.suffix, nearest.distance);
  if (isOneCompany && nameDistance === 0) return candidate(suffixes[0] ?? '', TWO_ERRORS);
  return null;
}

function limitFor({ length }: string): number {
  if (length >= MIN_NAME_OF_TWO_ERRORS) return TWO_ERRORS;
  if (length >= MIN_NAME_OF_ANY_KEY) return ONE_ERROR;
  return length >= MIN_NAME_OF_ONE_ERROR ? ONE_LIKELY_ERROR : 0;
}

function nearestSuffix(suffixes: Provider['suffixes'], typed: string) {
  let nearest = { suffix: suffixes[0] ?? '', distance: Number.POSITIVE_INFINITY };
  for (const suffix of suffixes) {
    const distance = typingDistance(typed, suffix);
    if (distance < nearest.distance) nearest = { suffix, distance };
  }
  return nearest;
}

/** `hotmailco.uk`, `gmailcom.com`. */
function withoutDot(
  name: string,
  suffixes: Provider['suffixes'],
  { ascii, withoutDots }: TypedDomain,
): Candidate | null {
  if (!withoutDots.startsWith(name)) return null;
  for (const suffix of suffixes) {
    const glued = name + suffix.replaceAll('.', '');
    if (withoutDots === glued || ascii === `${glued}.${suffix}`) {
      return { domain: `${name}.${suffix}`, distance: ONE_ERROR };
    }
  }
  return null;
}
