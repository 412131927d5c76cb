import { type Cidr, type IpAddress, ipAddressFromWords, specialRange } from './ip-address.ts';

/**
 * The IPv4 address in an IPv6 address of the prefix 64:ff9b::/96 (RFC 6052). A site with IPv6 only sees all IPv4
 * visitors this way behind a translator (RFC 7755). Null for every other address, and for an IPv4 address that no sender
 * on the internet can have, which RFC 6052 section 3.1 forbids in this prefix.
 */
export function translatedIpv4({ family, words }: IpAddress): IpAddress | null {
  if (family === 4 || words[0] !== 0x0064ff9b || words[1] !== 0 || words[2] !== 0) return null;
  const ip = ipAddressFromWords(4, [words[3] ?? 0]);
  return specialRange(ip) === null ? ip : null;
}

const TRANSLATION_PREFIX_LENGTH = 96;

/** The IPv4 network that a network inside the translation prefix means; every other network unchanged. */
export function untranslatedNetwork(cidr: Cidr): Cidr {
  const network = translatedIpv4(cidr.network);
  return network ? { network, prefixLength: cidr.prefixLength - TRANSLATION_PREFIX_LENGTH } : cidr;
}
