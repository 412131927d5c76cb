import { type IpAddress, ipAddressFromWords, parseIpAddress } from './ip-address.ts';

/** A network: its first address and how many leading bits all its members share. */
export interface Cidr {
  readonly network: IpAddress;
  readonly prefixLength: number;
}

/**
 * Reads `address/length`, or a bare address as a network of one. Bits beyond the prefix must be zero:
 * `10.0.0.1/8` is more often a mistake than a wish.
 *
 * @returns null for anything else.
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

/** Whether the address lies in the network. Families never mix. */
export function cidrContains(cidr: Cidr, ip: IpAddress): boolean {
  if (cidr.network.family !== ip.family) return false;
  return ip.words.every((word, i) => masked(word, i, cidr.prefixLength) === cidr.network.words[i]);
}

/** The first address of the network of that prefix length in which the address lies. */
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

/** The mask of one 32-bit word. A shift by 32 is a shift by 0 in JavaScript, hence the two ends. */
function maskOf(index: number, prefixLength: number): number {
  const bits = Math.min(32, Math.max(0, prefixLength - 32 * index));
  return bits === 0 ? 0 : (0xffffffff << (32 - bits)) >>> 0;
}
