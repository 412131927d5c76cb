import { parseDomainName } from '../../addresses/email-address.ts';
import { networkOf, parseCidr, parseIpAddress } from '../../addresses/ip-address.ts';
import { truncatedNetwork } from '../../assessment/identity.ts';
import { timeOfReference } from '../../http/reference.ts';
import { isRequestId } from '../../http/request-id.ts';

/**
 * The possible meanings of a text in the search box. One text can have several meanings: `deadbeef` begins a request id
 * and names a key.
 */
export interface SearchText {
  readonly text: string;
  /** A whole request id, or the id of an account. */
  readonly id: string | null;
  /** The beginning of a request id. */
  readonly beginning: string | null;
  /** The time of the request with this reference. */
  readonly madeAt: number | null;
  /** The registrable domain, as decisions store it. */
  readonly domain: string | null;
  /** The /24 or /48 of an address or of a smaller network, as decisions store it. */
  readonly network: string | null;
  /** A name, or the end of a key; null for an address and for a network. */
  readonly name: string | null;
}

const MAX_SEARCH_TEXT = 300;

/** No name contains control characters, and SQLite ends a pattern at the first NUL. */
const NO_TEXT = /[\p{Cc}\p{Cs}]/gu;
/** What is around an id or a reference in a sentence. */
const NO_ID = /[^\w-]+/;
const WHOLE_UUID_DIGITS = 32;
/** A text with these characters at its end begins a request id. */
const REST = '00000000-0000-0000-0000-000000000000';
/** The first group of an id. */
const SHORTEST_BEGINNING = 8;
const KEPT_PREFIX = { 4: 24, 6: 48 } as const;

export function readSearchText(typed: string, now: number): SearchText {
  const text = typed.replace(NO_TEXT, '').trim().slice(0, MAX_SEARCH_TEXT);
  const lower = withDashes(text.toLowerCase());
  const network = networkIn(text);
  const domain = network === null ? domainIn(text) : null;
  return {
    text,
    id: isRequestId(lower) ? lower : quotedId(lower),
    beginning: isBeginning(lower) ? lower : null,
    madeAt: timeOfReference(text, now) ?? timeOfQuoted(text, now),
    domain,
    network,
    name: text === '' || network !== null ? null : text,
  };
}

/** The word that names a request in a sentence: an id, else a reference. */
export function quotedRequest(text: string, now: number): string | null {
  return quotedId(text.toLowerCase()) ?? quotedReference(text, now);
}

/** Customers quote whole sentences: `Request id: 01a2…`. */
function quotedId(text: string): string | null {
  return text.split(NO_ID).find((word) => isRequestId(word)) ?? null;
}

/** As for an id: `Reference M7YZMHG0`. Ordinary words of eight letters have no digit. */
function quotedReference(text: string, now: number): string | null {
  return text.split(NO_ID).find((word) => /\d/.test(word) && timeOfReference(word, now) !== null) ?? null;
}

function timeOfQuoted(text: string, now: number): number | null {
  const word = quotedReference(text, now);
  return word === null ? null : timeOfReference(word, now);
}

function isBeginning(text: string): boolean {
  const isShort = text.length >= SHORTEST_BEGINNING && text.length < REST.length;
  return isShort && isRequestId(text + REST.slice(text.length));
}

/** An id may be pasted without its dashes. */
function withDashes(text: string): string {
  if (text.length !== WHOLE_UUID_DIGITS || !/^[\da-f]+$/.test(text)) return text;
  return text.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** A single label is a name. */
function domainIn(text: string): string | null {
  const name = parseDomainName(text.replace(/^@/, ''));
  return name ? (name.registrable ?? name.ascii) : null;
}

/** A network that is larger than the stored networks has no stored value. */
function networkIn(text: string): string | null {
  const ip = parseIpAddress(text);
  if (ip) return truncatedNetwork(ip);
  const cidr = parseCidr(text);
  if (!cidr) return null;
  const kept = KEPT_PREFIX[cidr.network.family];
  return cidr.prefixLength < kept ? null : `${networkOf(cidr.network, kept).text}/${kept}`;
}
