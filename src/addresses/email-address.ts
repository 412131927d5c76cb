import { domainToASCII, domainToUnicode } from 'node:url';
import { parse } from 'tldts';

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
/** RFC 2047 section 5: no address has one. The mail gem of Ruby decodes it, to an address at another domain. */
const ENCODED_WORD = /=\?[^?]*\?[bq]\?/i;
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
  if (!isRead || ENCODED_WORD.test(localPart)) return null;
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

/** A host name, split by the public suffix list. */
export interface DomainName {
  /** A-labels, lower case, no trailing dot. */
  readonly ascii: string;
  /** The registered part (`example.co.uk` of `a.example.co.uk`); null for a public suffix itself. */
  readonly registrable: string | null;
  readonly publicSuffix: string;
  /** icann: a real top-level suffix. private: a host that lets the public register below it. unknown: neither. */
  readonly suffixKind: 'icann' | 'private' | 'unknown';
}

/** RFC 1123 section 2.1: labels of letters, digits and inner hyphens, at least two of them, of 1 to 63 octets. */
const HOST_NAME = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/;
/** A last label that URL parsers read as part of an IPv4 address (WHATWG URL standard, "ends in a number"). */
const NUMERIC_LAST_LABEL = /\.(?:\d+|0x[0-9a-f]*)$/;
const MAX_DOMAIN_OCTETS = 253;
/** An A-label is longer than its Unicode form. A name with more characters than this never fits into 253 octets. */
const MAX_DOMAIN_CHARACTERS = 1_000;
const SUFFIX_OPTIONS = { allowPrivateDomains: true, extractHostname: false, validateHostname: false };

/**
 * Reads a domain like browsers and mail systems: UTS 46, then the rules for host names, with at least two labels. The
 * last label is not a number.
 * @returns null for any other text.
 */
export function parseDomainName(text: string): DomainName | null {
  if (text.length > MAX_DOMAIN_CHARACTERS) return null;
  const ascii = toAsciiHost(text);
  if (ascii === null || ascii.length > MAX_DOMAIN_OCTETS) return null;
  if (!HOST_NAME.test(ascii) || NUMERIC_LAST_LABEL.test(ascii)) return null;
  const cut = parse(ascii, SUFFIX_OPTIONS);
  const suffixKind = cut.isPrivate ? 'private' : cut.isIcann ? 'icann' : 'unknown';
  return { ascii, registrable: cut.domain, publicSuffix: cut.publicSuffix ?? ascii, suffixKind };
}

/**
 * Nearly all names have only letters, digits, dots and hyphens, and need no UTS 46. Other ASCII is refused here,
 * because `domainToASCII` reads its argument as a URL: it would drop tabs and cut at `/`, `?` and `#`.
 */
function toAsciiHost(text: string): string | null {
  if (/^[a-z0-9.-]+$/.test(text) && !text.includes('xn--')) return text;
  if (!/^[A-Za-z0-9.\u0080-\u{10ffff}-]+$/u.test(text)) return null;
  const ascii = domainToASCII(text);
  return isDecodable(ascii) ? ascii : null;
}

/**
 * Whether each A-label stands for letters outside ASCII. Node 24 accepts any text after `xn--`, as the URL standard
 * does; DNS names of this kind do not exist (RFC 5891 section 5.4).
 */
function isDecodable(ascii: string): boolean {
  if (!ascii.includes('xn--')) return ascii !== '';
  const decoded = domainToUnicode(ascii).split('.');
  return ascii
    .split('.')
    .every((label, i) => !label.startsWith('xn--') || /[\u0080-\u{10ffff}]/u.test(decoded[i] ?? ''));
}

/** The name itself, then each parent up to its registrable domain; for a public suffix, only the name. */
export function* domainAndParents(domain: DomainName): Generator<string> {
  const last = domain.registrable ?? domain.ascii;
  let name = domain.ascii;
  while (name.length > last.length) {
    yield name;
    name = name.slice(name.indexOf('.') + 1);
  }
  yield last;
}

/** An address between characters that no address has without quotes. The wide and small forms of `@` count too. */
const BARE_ADDRESS =
  /(?<![^\s"'<>,;:()[\]\\@\uff20\ufe6b])[^\s"'<>,;:()[\]\\@\uff20\ufe6b]+[@\uff20\ufe6b][^\s"'<>,;:()[\]\\@\uff20\ufe6b]+/g;
/** Without a dot, no mail reaches the domain. */
const DOT = /[@\uff20\ufe6b][^@\uff20\ufe6b]*[.\u3002\uff0e\uff61]/;
const NO_ADDRESSES: readonly string[] = [];

/** The addresses in a text, in order, without those that need quotes. They are not yet read as mailboxes. */
export function bareAddresses(text: string): readonly string[] {
  return (text.match(BARE_ADDRESS) ?? NO_ADDRESSES).filter((address) => DOT.test(address));
}

/**
 * The addresses that other readers find inside the local part of an email: `a@b.example` in
 * `"a@b.example x"@corp.example`. Older versions of nodemailer send mails there, and apps that split an email at the
 * first at sign store that domain.
 */
export function innerAddresses(email: string): readonly string[] {
  if (email.length > MAX_ADDRESS_OCTETS) return NO_ADDRESSES;
  const localPart = email.slice(0, Math.max(0, email.lastIndexOf('@')));
  return bareAddresses(localPart.replaceAll('\\', ''));
}
