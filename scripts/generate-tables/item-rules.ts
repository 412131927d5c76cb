import { parseDomainName } from '../../src/addresses/email-address.ts';
import { parseCidr } from '../../src/addresses/ip-address.ts';
import type { ItemRule, ValueRule } from './table-reader.ts';

const MAX_ASN = 0xffffffff;

export const asNumbers = (): ItemRule<number> => ({
  isValid: (value): value is number =>
    typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= MAX_ASN,
  what: 'the number of an autonomous system',
  seen: new Map(),
});

/** A network such as `203.0.113.0/24`, without bits behind its prefix. */
export const networkPrefixes = (): ItemRule<string> => ({
  isValid: (value): value is string =>
    typeof value === 'string' && value.includes('/') && parseCidr(value) !== null,
  what: 'a network such as 203.0.113.0/24',
  seen: new Map(),
});

export const domains = (): ItemRule<string> => ({ ...DOMAIN, seen: new Map() });

/** A domain, or a top-level name alone. */
export const domainsAndSuffixes = (): ItemRule<string> => ({
  isValid: (value): value is string =>
    typeof value === 'string' && (DOMAIN.isValid(value) || DOMAIN.isValid(`a.${value}`)),
  what: 'a domain in lower case',
  seen: new Map(),
});

export const DOMAIN: ValueRule<string> = {
  isValid: (value): value is string => typeof value === 'string' && parseDomainName(value)?.ascii === value,
  what: 'a domain in lower case',
};

export const textsLike = (pattern: RegExp, what: string): ItemRule<string> => ({
  ...textLike(pattern, what),
  seen: new Map(),
});

export const textLike = (pattern: RegExp, what: string): ValueRule<string> => ({
  isValid: (value): value is string => typeof value === 'string' && pattern.test(value),
  what,
});

export const TRUE_OR_FALSE: ValueRule<boolean> = {
  isValid: (value): value is boolean => typeof value === 'boolean',
  what: 'true or false',
};
