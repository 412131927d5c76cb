import { type DomainName, parseDomainName } from './domain-name.ts';

/** An email address that is syntactically a mailbox of RFC 5321 or RFC 6531. */
export interface Mailbox {
  /** The email address as the sender wrote it. */
  readonly address: string;
  /** The local part as written, with its quotes. */
  readonly localPart: string;
  readonly domain: DomainName;
}

const MAX_ADDRESS_OCTETS = 254;
const MAX_LOCAL_PART_OCTETS = 64;

/** RFC 5321 section 4.1.2: Dot-string and Quoted-string, whose quoted pairs are printable ASCII. */
const DOT_STRING = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const QUOTED_STRING = /^"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e])*"$/;
/** The same, extended by RFC 6531 section 3.3 to Unicode above ASCII. An atom does not begin with a combining mark. */
const WIDE_DOT_STRING =
  /^(?!\p{M})[\w!#$%&'*+/=?^`{|}~\u0080-\u{10ffff}-]+(?:\.(?!\p{M})[\w!#$%&'*+/=?^`{|}~\u0080-\u{10ffff}-]+)*$/u;
const WIDE_QUOTED_STRING = /^"(?:[\x20\x21\x23-\x5b\x5d-\x7e\u0080-\u{10ffff}]|\\[\x20-\x7e])*"$/u;
/**
 * Characters that are invisible, cannot be typed or change the direction of text: controls, formats (with the
 * bidirectional overrides), surrogates, private and unassigned code points, and every separator except the ASCII space.
 */
const UNSAFE = /\p{C}|(?! )\p{Z}/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is all of ASCII, controls included
const ASCII = /^[\x00-\x7f]*$/;

/**
 * Reads one mailbox, in time linear in its length. No trimming, no comments, no display names, no address literals.
 * Octets are those of UTF-8 as sent; `parseDomainName` limits the domain.
 * @returns null for any other text.
 */
export function parseMailbox(address: string): Mailbox | null {
  if (address.length > MAX_ADDRESS_OCTETS) return null;
  const at = address.lastIndexOf('@');
  if (at < 1) return null;
  const localPart = address.slice(0, at);
  const isRead = ASCII.test(address) ? isAsciiLocalPart(localPart) : isWideLocalPart(localPart, address);
  if (!isRead) return null;
  const domain = parseDomainName(address.slice(at + 1));
  return domain && { address, localPart, domain };
}

function isAsciiLocalPart(localPart: string): boolean {
  if (localPart.length > MAX_LOCAL_PART_OCTETS) return false;
  return DOT_STRING.test(localPart) || QUOTED_STRING.test(localPart);
}

function isWideLocalPart(localPart: string, address: string): boolean {
  if (UNSAFE.test(address) || Buffer.byteLength(address) > MAX_ADDRESS_OCTETS) return false;
  if (Buffer.byteLength(localPart) > MAX_LOCAL_PART_OCTETS) return false;
  if (WIDE_QUOTED_STRING.test(localPart)) return true;
  // Normalising may create a forbidden character. For example, U+037E (the Greek question mark) becomes a semicolon.
  return WIDE_DOT_STRING.test(localPart) && WIDE_DOT_STRING.test(localPart.normalize('NFC'));
}
