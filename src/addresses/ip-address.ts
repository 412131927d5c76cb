import { isIPv4, isIPv6 } from 'node:net';

/** One IP address, parsed once and then compared as numbers. */
export interface IpAddress {
  readonly family: 4 | 6;
  /** Canonical text: dotted quad, or RFC 5952. */
  readonly text: string;
  /** Unsigned 32-bit words, most significant first: one for IPv4, four for IPv6. */
  readonly words: readonly number[];
}

/** The longest text form: eight groups with an embedded IPv4 and a zone of RFC 4007. */
const MAX_TEXT_LENGTH = 64;

/**
 * Reads an address in any RFC text form (RFC 4291 section 2.2, RFC 5952). IPv4-mapped IPv6 is read as IPv4. A zone (RFC
 * 4007, `fe80::1%eth0`) names an interface of the sender's machine and is dropped. Octal, hexadecimal and short IPv4
 * forms are refused, because parsers disagree about them.
 * @returns null for text that is not an address.
 */
export function parseIpAddress(text: string): IpAddress | null {
  if (text.length > MAX_TEXT_LENGTH) return null;
  if (isIPv4(text)) return { family: 4, text, words: [ipv4Word(text)] };
  if (!isIPv6(text)) return null;
  const zone = text.indexOf('%');
  const groups = ipv6Groups(withoutDottedTail(zone === -1 ? text : text.slice(0, zone)));
  const word = (i: number) => (((groups[i] ?? 0) << 16) | (groups[i + 1] ?? 0)) >>> 0;
  const words = [word(0), word(2), word(4), word(6)];
  const isMapped = words[0] === 0 && words[1] === 0 && words[2] === 0xffff;
  return isMapped ? ipAddressFromWords(4, [word(6)]) : { family: 6, text: ipv6Text(groups), words };
}

/** The address that the 32-bit words represent. */
export function ipAddressFromWords(family: 4 | 6, words: readonly number[]): IpAddress {
  if (family === 4) return { family, text: dottedQuad(words[0] ?? 0), words };
  const groups: number[] = [];
  for (const word of words) groups.push(word >>> 16, word & 0xffff);
  return { family, text: ipv6Text(groups), words };
}

/**
 * The eight groups of a text that is known to be an IPv6 address of groups and colons. Own code, because ipaddr.js
 * takes 4 µs, a third of the cost of an attempt.
 */
function ipv6Groups(text: string): number[] {
  const groups: number[] = [];
  /** The position of `::`, which stands for the missing zeros. */
  let gap = 8;
  let group = 0;
  let hasDigits = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code !== 0x3a) {
      group = group * 16 + (code <= 0x39 ? code - 0x30 : (code | 0x20) - 0x57);
      hasDigits = true;
      continue;
    }
    if (hasDigits) groups.push(group);
    else gap = groups.length;
    group = 0;
    hasDigits = false;
  }
  if (hasDigits) groups.push(group);
  while (groups.length < 8) groups.splice(gap, 0, 0);
  return groups;
}

/**
 * RFC 5952 section 4: the longest run of zeros is cut, the left one of two. Own code, because ipaddr.js takes 1.6 µs,
 * and every attempt over IPv6 writes three addresses.
 * @param groups The eight 16-bit groups.
 */
function ipv6Text(groups: readonly number[]): string {
  let start = 0;
  let length = 1;
  for (let from = 0; from < groups.length; from++) {
    let to = from;
    while (groups[to] === 0) to++;
    if (to - from > length) {
      start = from;
      length = to - from;
    }
    from = to;
  }
  if (length === 1) return hexGroups(groups, 0, groups.length);
  return `${hexGroups(groups, 0, start)}::${hexGroups(groups, start + length, groups.length)}`;
}

function hexGroups(groups: readonly number[], from: number, to: number): string {
  let text = '';
  for (let i = from; i < to; i++) text += `${i === from ? '' : ':'}${(groups[i] ?? 0).toString(16)}`;
  return text;
}

/** Writes `::192.0.2.1` as `::c000:201`. */
function withoutDottedTail(text: string): string {
  if (!text.includes('.')) return text;
  const tail = text.lastIndexOf(':') + 1;
  const word = ipv4Word(text.slice(tail));
  return `${text.slice(0, tail)}${(word >>> 16).toString(16)}:${(word & 0xffff).toString(16)}`;
}

function ipv4Word(text: string): number {
  let word = 0;
  let octet = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x2e) {
      word = word * 256 + octet;
      octet = 0;
    } else {
      octet = octet * 10 + code - 0x30;
    }
  }
  return word * 256 + octet;
}

function dottedQuad(word: number): string {
  return `${word >>> 24}.${(word >>> 16) & 255}.${(word >>> 8) & 255}.${word & 255}`;
}

/** A network: its first address and the number of leading bits that all its members share. */
export interface Cidr {
  readonly network: IpAddress;
  readonly prefixLength: number;
}

/**
 * Reads `address/length`, or an address without a length, which becomes a network of one address. Bits beyond the
 * prefix must be zero: `10.0.0.1/8` is usually a mistake.
 * @returns null for any other text.
 */
export function parseCidr(text: string): Cidr | null {
  const slash = text.indexOf('/');
  const network = parseIpAddress(slash === -1 ? text : text.slice(0, slash));
  if (!network) return null;
  const bits = network.family === 4 ? 32 : 128;
  if (slash === -1) return { network, prefixLength: bits };
  const length = text.slice(slash + 1);
  if (!/^(0|[1-9]\d{0,2})$/.test(length)) return null;
  const prefixLength = Number(length);
  if (prefixLength > bits) return null;
  if (networkOf(network, prefixLength).text !== network.text) return null;
  return { network, prefixLength };
}

/** Whether the network contains the address. IPv4 and IPv6 never match each other. */
export function cidrContains(cidr: Cidr, ip: IpAddress): boolean {
  if (cidr.network.family !== ip.family) return false;
  return ip.words.every((word, i) => masked(word, i, cidr.prefixLength) === cidr.network.words[i]);
}

/** The first address of the network with that prefix length that contains the address. */
export function networkOf(ip: IpAddress, prefixLength: number): IpAddress {
  return ipAddressFromWords(
    ip.family,
    ip.words.map((word, i) => masked(word, i, prefixLength)),
  );
}

/** The last address of a network, as words. */
export function lastWordsOf(cidr: Cidr): number[] {
  return cidr.network.words.map((word, i) => (word | ~maskOf(i, cidr.prefixLength)) >>> 0);
}

export function formatCidr(cidr: Cidr): string {
  return `${cidr.network.text}/${cidr.prefixLength}`;
}

function masked(word: number, index: number, prefixLength: number): number {
  return (word & maskOf(index, prefixLength)) >>> 0;
}

/**
 * The mask of one 32-bit word. A shift by 32 is a shift by 0 in JavaScript, so the lengths 0 and 32 are handled
 * separately.
 */
function maskOf(index: number, prefixLength: number): number {
  const bits = Math.min(32, Math.max(0, prefixLength - 32 * index));
  return bits === 0 ? 0 : (0xffffffff << (32 - bits)) >>> 0;
}

/**
 * The kind of an IP address that no host on the internet sends from. private: used inside a network, a machine or a
 * carrier. reserved: for documentation, multicast, protocols or future use.
 */
export type SpecialRange = 'private' | 'reserved';

/** First address, prefix length, kind: the IANA IPv4 Special-Purpose Address Registry, and multicast (RFC 5771). */
const IPV4: readonly (readonly [first: number, prefixLength: number, kind: SpecialRange])[] = [
  [0x00000000, 8, 'reserved'], // "this network", RFC 791
  [0x0a000000, 8, 'private'], // RFC 1918
  [0x64400000, 10, 'private'], // carrier NAT, RFC 6598
  [0x7f000000, 8, 'private'], // loopback, RFC 1122
  [0xa9fe0000, 16, 'private'], // link-local, RFC 3927; cloud metadata too
  [0xac100000, 12, 'private'], // RFC 1918
  [0xc0000000, 24, 'reserved'], // protocol assignments, RFC 6890
  [0xc0000200, 24, 'reserved'], // documentation, RFC 5737
  [0xc0586300, 24, 'reserved'], // 6to4 relays, withdrawn by RFC 7526
  [0xc0a80000, 16, 'private'], // RFC 1918
  [0xc6120000, 15, 'reserved'], // benchmarks, RFC 2544
  [0xc6336400, 24, 'reserved'], // documentation, RFC 5737
  [0xcb007100, 24, 'reserved'], // documentation, RFC 5737
  [0xe0000000, 4, 'reserved'], // multicast, RFC 5771
  [0xf0000000, 4, 'reserved'], // future use and broadcast, RFC 1112 and 919
];

/** Indexed by the first octet, for a look-up without a search: most /8 networks contain no range. */
const IPV4_BY_FIRST_OCTET = Array.from({ length: 256 }, (_, octet) =>
  IPV4.filter(([first, prefixLength]) => {
    const firstOctet = first >>> 24;
    return octet >= firstOctet && octet < firstOctet + 2 ** Math.max(0, 8 - prefixLength);
  }),
);

/**
 * Whether the IP address is special, by IANA's registries for IPv4 and IPv6. Null when a sender can have this address.
 */
export function specialRange({ family, words }: IpAddress): SpecialRange | null {
  const word = words[0] ?? 0;
  return family === 4 ? specialIpv4(word) : specialIpv6(word, words);
}

function specialIpv4(word: number): SpecialRange | null {
  for (const [first, prefixLength, kind] of IPV4_BY_FIRST_OCTET[word >>> 24] ?? []) {
    if (word >>> (32 - prefixLength) === first >>> (32 - prefixLength)) return kind;
  }
  return null;
}

/**
 * Only 2000::/3 is allocated (RFC 4291 section 2.4), except a few ranges inside. 6to4 and Teredo count as reserved:
 * their relays are withdrawn (RFC 7526) or switched off.
 */
function specialIpv6(word: number, words: readonly number[]): SpecialRange | null {
  if (word >>> 29 === 1) {
    const isReserved =
      word >>> 9 === 0x20010000 >>> 9 || // 2001::/23, protocols: Teredo, ORCHID, benchmarks
      word === 0x20010db8 || // documentation, RFC 3849
      word >>> 16 === 0x2002 || // 6to4, RFC 3056
      word >>> 12 === 0x3fff0; // documentation, RFC 9637
    return isReserved ? 'reserved' : null;
  }
  if (word >>> 25 === 0xfc >>> 1) return 'private'; // unique local, RFC 4193
  if (word >>> 22 === 0xfe80 >>> 6 || word >>> 22 === 0xfec0 >>> 6) return 'private'; // link- and site-local
  if (word === 0x0064ff9b && (words[1] ?? 0) >>> 16 === 1) return 'private'; // local translation, RFC 8215
  const isLoopback = word === 0 && words[1] === 0 && words[2] === 0 && words[3] === 1;
  return isLoopback ? 'private' : 'reserved';
}
