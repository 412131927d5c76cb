import { type DomainName, parseDomainName } from './domain-name.ts';

/** An email address that is syntactically a mailbox of RFC 5321 or RFC 6531. */
export interface Mailbox {
  /** As the sender wrote it. */
  readonly address: string;
  /** As written, quotes and all. */
  readonly localPart: string;
  readonly domain: DomainName;
}

const MAX_ADDRESS_OCTETS = 254;
const MAX_LOCAL_PART_OCTETS = 64;

/** RFC 5321 section 4.1.2 atext, widened by RFC 6531 section 3.3 to all of Unicode above ASCII. */
const DOT_STRING = /^[\w!#$%&'*+/=?^`{|}~\u0080-\u{10ffff}-]+(\.[\w!#$%&'*+/=?^`{|}~\u0080-\u{10ffff}-]+)*$/u;
const QUOTED_STRING = /^"([\x20-\x21\x23-\x5b\x5d-\x7e\u0080-\u{10ffff}]|\\[\x20-\x7e])*"$/u;
/** Controls, surrogates, unassigned code points, separators other than the space: nothing a mailbox is spelled with. */
const UNSAFE = /[\p{C}\p{Zl}\p{Zp}]/u;

/**
 * Reads one mailbox. No trimming, no comments, no display names, no address literals.
 *
 * @returns null for anything else.
 */
export function parseMailbox(address: string): Mailbox | null {
  if (address.length > MAX_ADDRESS_OCTETS || Buffer.byteLength(address) > MAX_ADDRESS_OCTETS) return null;
  const at = address.lastIndexOf('@');
  if (at < 1) return null;
  const localPart = address.slice(0, at);
  if (Buffer.byteLength(localPart) > MAX_LOCAL_PART_OCTETS || UNSAFE.test(address)) return null;
  if (!DOT_STRING.test(localPart) && !QUOTED_STRING.test(localPart)) return null;
  const domain = parseDomainName(address.slice(at + 1));
  return domain && { address, localPart, domain };
}
