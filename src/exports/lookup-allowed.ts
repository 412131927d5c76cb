import { lookup as dnsLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { type Cidr, cidrContains, parseIpAddress, specialRange } from '../addresses/ip-address.ts';

/** The receiver has an address that is not public and not in the networks of `private_networks`. */
export class AddressRefusedError extends Error {
  override name = 'AddressRefusedError';
}

/**
 * Whether a webhook may connect to that IP address: it is public, or in a network of `private_networks`. IPv4-mapped
 * IPv6 is read as IPv4.
 */
export function isAllowedAddress(text: string, networks: readonly Cidr[]): boolean {
  const ip = parseIpAddress(text);
  if (!ip) return false;
  return specialRange(ip) === null || networks.some((network) => cidrContains(network, ip));
}

/**
 * Resolves a host for a connection and keeps only allowed addresses. The connection uses exactly these addresses, so
 * that a second answer of the name server cannot redirect it. A host that is an IP address is not resolved, so it must
 * be checked before.
 */
export function lookupAllowed(networks: readonly Cidr[]): LookupFunction {
  return (hostname, options, callback) => {
    dnsLookup(hostname, { ...options, all: true }, (error, found) => {
      const addresses: readonly LookupAddress[] = error ? [] : found;
      const allowed = addresses.filter(({ address }) => isAllowedAddress(address, networks));
      const [first] = allowed;
      const refusal =
        error ??
        (first ? null : new AddressRefusedError(`${hostname} has no IP address that webhooks may use.`));
      if (refusal || !first) callback(refusal, []);
      else if (options.all) callback(null, [...allowed]);
      else callback(null, first.address, first.family);
    });
  };
}
