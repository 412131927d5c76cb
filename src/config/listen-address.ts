import { parseIpAddress } from '../addresses/ip-address.ts';

/** Where a listener is bound. */
export interface ListenAddress {
  /** An IP address without brackets, or a host name. */
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
}

/**
 * Reads `127.0.0.1:8080`, `[::1]:8080` or `localhost:8080`. The host must be there: an address left out would mean
 * "everyone" to some and "this machine" to others.
 *
 * @returns null for anything else.
 */
export function parseListenAddress(text: string): ListenAddress | null {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === undefined || port > 65_535) return null;
  if (bracketed !== undefined) {
    const ip = parseIpAddress(bracketed);
    return ip && bracketed.includes(':') ? { host: bracketed, port } : null;
  }
  const host = plain ?? '';
  return parseIpAddress(host) || isHostName(host) ? { host, port } : null;
}

/** Letters, digits and inner hyphens in labels; a last label of digits alone would be a broken IPv4 address. */
function isHostName(text: string): boolean {
  return (
    /^(?=.{1,253}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i.test(
      text,
    ) && !/(?:^|\.)\d+$/.test(text)
  );
}
