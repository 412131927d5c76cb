import { parseIpAddress, specialRange } from '../addresses/ip-address.ts';

/** Whether the host of a URL is an IP address that is not public, or this machine. A name is not resolved. */
export function isPrivateHost(hostname: string): boolean {
  const ip = parseIpAddress(hostname.replace(/^\[|\]$/g, ''));
  return hostname === 'localhost' || (ip !== null && specialRange(ip) !== null);
}
