import { parseIpAddress } from '../addresses/ip-address.ts';

/** The address of a listener. */
export interface ListenAddress {
  /** An IP address without brackets, or a host name. */
  readonly host: string;
  /** The port. 0 selects any free port. */
  readonly port: number;
}

/**
 * Reads `127.0.0.1:8080`, `[::1]:8080` or `localhost:8080`. The host is required, because a missing host could mean
 * "all interfaces" or "this machine".
 * @returns null for any other text.
 */
export function parseListenAddress(text: string): ListenAddress | null {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d+)$/.exec(text) ?? [];
  const port = parsePort(digits ?? '');
  if (port === null) return null;
  if (bracketed !== undefined) {
    const ip = parseIpAddress(bracketed);
    return ip && bracketed.includes(':') ? { host: bracketed, port } : null;
  }
  const host = plain ?? '';
  return parseIpAddress(host) || isHostName(host) ? { host, port } : null;
}

/** Reads a port from 0 to 65535; null for any other text. */
export function parsePort(text: string): number | null {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  return port <= 65_535 ? port : null;
}

/**
 * Whether two listeners would compete for one port: their hosts are equal, or one of them is every address of the
 * machine. False when one of the texts is no address.
 */
export function overlaps(one: string, other: string): boolean {
  const [a, b] = [parseListenAddress(one), parseListenAddress(other)];
  if (!a || !b || a.port !== b.port || a.port === 0) return false;
  const [host, otherHost] = [canonicalHost(a), canonicalHost(b)];
  return host === otherHost || covers(host, otherHost) || covers(otherHost, host);
}

/** `::` is every IPv4 address too. A name counts as IPv4. */
function covers(host: string, other: string): boolean {
  return host === '::' || (host === '0.0.0.0' && !other.includes(':'));
}

function canonicalHost({ host }: ListenAddress): string {
  return parseIpAddress(host)?.text ?? host.toLowerCase();
}

const PORT_ALONE = /^:?(\d{1,5})$/;

/**
 * Completes a port alone, `8080` or `:8080`: it means this machine only, and a public listener must name its host. Any
 * other value stays unchanged.
 */
export function completeListenAddress<T>(given: T): T | string {
  const [, port] = PORT_ALONE.exec(String(given)) ?? [];
  return port === undefined ? given : `127.0.0.1:${Number(port)}`;
}

/** Whether only this machine can reach a listener on this host. */
export function isLoopbackHost(host: string): boolean {
  return /^(?:127(?:\.\d+){3}|::1|localhost)$/i.test(host);
}

const LOOPBACK_NAME = /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;

/** Whether the host of a URL is loopback. */
export function isLoopbackUrl(url: string): boolean {
  return URL.canParse(url) && LOOPBACK_NAME.test(new URL(url).hostname);
}

/** The URL with which a browser on this machine opens a listener, without a slash at the end. */
export function addressUrl({ host, port }: ListenAddress, isSecure: boolean): string {
  // These hosts mean every address of the machine, and a browser cannot open them.
  const reachable = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return new URL(`${isSecure ? 'https' : 'http'}://${urlHost(reachable)}:${port}`).origin;
}

/** The host as URLs have it: an IPv6 address in brackets. */
export function urlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/** Letters, digits and inner hyphens in labels; a last label of only digits would be a broken IPv4 address. */
function isHostName(text: string): boolean {
  return (
    /^(?=.{1,253}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i.test(
      text,
    ) && !/(?:^|\.)\d+$/.test(text)
  );
}
