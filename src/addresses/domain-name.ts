import { domainToASCII } from 'node:url';
import { parse } from 'tldts';

/** A host name and where the public suffix list cuts it. */
export interface DomainName {
  /** A-labels, lower case, no trailing dot. */
  readonly ascii: string;
  /** The part that somebody registered (`example.co.uk` of `a.example.co.uk`); null for a public suffix itself. */
  readonly registrable: string | null;
  readonly publicSuffix: string;
  /** icann: a real top-level suffix. private: a host that lets strangers register below it. unknown: neither. */
  readonly suffixKind: 'icann' | 'private' | 'unknown';
}

const HOST_LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const MAX_DOMAIN_OCTETS = 253;

/**
 * Reads a domain as browsers and mail systems do: UTS 46, then host name rules (RFC 1123) of at least two labels,
 * the last not a number.
 *
 * @returns null when it is no such name.
 */
export function parseDomainName(text: string): DomainName | null {
  const ascii = toAsciiHost(text);
  if (ascii === null || ascii.length > MAX_DOMAIN_OCTETS) return null;
  const labels = ascii.split('.');
  if (labels.length < 2 || !labels.every((label) => HOST_LABEL.test(label))) return null;
  if (/^(\d+|0x[0-9a-f]*)$/.test(labels[labels.length - 1] ?? '')) return null;
  const cut = parse(ascii, { allowPrivateDomains: true, extractHostname: false, validateHostname: false });
  const suffixKind = cut.isPrivate ? 'private' : cut.isIcann ? 'icann' : 'unknown';
  return { ascii, registrable: cut.domain ?? null, publicSuffix: cut.publicSuffix ?? ascii, suffixKind };
}

/** Pure lower-case ASCII names need no UTS 46, and nearly all are. */
function toAsciiHost(text: string): string | null {
  if (/^[a-z0-9.-]+$/.test(text) && !text.includes('xn--')) return text;
  return domainToASCII(text) || null;
}

/** The name itself, then each parent down to and including its registrable domain. */
export function* domainAndParents(domain: DomainName): Generator<string> {
  const last = domain.registrable ?? domain.ascii;
  let name = domain.ascii;
  while (name.length > last.length) {
    yield name;
    name = name.slice(name.indexOf('.') + 1);
  }
  yield last;
}
