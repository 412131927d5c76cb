import type { IncomingMessage } from 'node:http';
import {
  type Cidr,
  cidrContains,
  type IpAddress,
  networkOf,
  parseIpAddress,
} from '../addresses/ip-address.ts';
import { ProblemError } from './problem.ts';

export interface ClientAddressFacts {
  /** The peer of the TCP connection. */
  readonly socketAddress: IpAddress;
  readonly trustedProxies: readonly Cidr[];
  /** The name of the header in lower case: `x-forwarded-for`, `forwarded`, `x-real-ip`, `cf-connecting-ip`. */
  readonly header: string;
  /**
   * A flat list of header names and values (name, value, name, value, …), in their order of arrival: Node's
   * `rawHeaders`.
   */
  readonly rawHeaders: readonly string[];
}

/** The limit of hops. Real chains of proxies are shorter. Entries further left are ignored. */
const MAX_HOPS = 50;

/**
 * The IP address of the request's sender. The header counts only when the peer is trusted. It is then read from the
 * right, past trusted proxies, to the first address that is not a trusted proxy. An unreadable entry ends the search at
 * the last trusted hop; if every entry is trusted, the left-most one counts. Several header lines are one list, in
 * order.
 */
export function clientAddress({
  socketAddress,
  trustedProxies,
  header,
  rawHeaders,
}: ClientAddressFacts): IpAddress {
  const isTrusted = (ip: IpAddress) => trustedProxies.some((cidr) => cidrContains(cidr, ip));
  if (trustedProxies.length === 0 || !isTrusted(socketAddress)) return socketAddress;
  const entries = listEntries(header, rawHeaders);
  const parse = header === 'forwarded' ? parseForwardedEntry : parseHop;
  let hop = socketAddress;
  for (let i = entries.length - 1; i >= Math.max(0, entries.length - MAX_HOPS); i--) {
    const address = parse(entries[i] ?? '');
    if (!address) return hop;
    hop = address;
    if (!isTrusted(hop)) return hop;
  }
  return hop;
}

/** A client owns an IPv6 /64, and can use a new address of it for each request. */
const IPV6_CLIENT_BITS = 64;

/** The name of the client with this address, for turns and shares: equal for all addresses of an IPv6 /64. */
export function clientName(ip: IpAddress | null): string {
  if (!ip) return '';
  return ip.family === 4 ? ip.text : networkOf(ip, IPV6_CLIENT_BITS).text;
}

/** Whether the request has a header that proxies use. If no proxy is trusted, the operator gets a warning about it. */
export function hasForwardingHeader(rawHeaders: readonly string[]): boolean {
  return rawHeaders.some(
    (name, i) => i % 2 === 0 && /^(?:x-forwarded-for|forwarded|x-real-ip|cf-connecting-ip)$/i.test(name),
  );
}

function listEntries(header: string, rawHeaders: readonly string[]): string[] {
  const entries: string[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    if (name.length !== header.length || name.toLowerCase() !== header) continue;
    const value = rawHeaders[i + 1] ?? '';
    // Only `Forwarded` has quoted strings; in other fields a quote makes its entry invalid.
    if (header === 'forwarded') entries.push(...splitOutsideQuotes(value, ','));
    else if (value.includes(',')) entries.push(...value.split(','));
    else entries.push(value);
  }
  return entries;
}

/** RFC 7239 section 4: the value of `for`, with or without quotes. An entry with two values for `for` is invalid. */
function parseForwardedEntry(entry: string): IpAddress | null {
  const values: string[] = [];
  for (const pair of splitOutsideQuotes(entry, ';')) {
    const [, name = '', value = ''] = /^([\w!#$%&'*+.^`|~-]+)=(.*)$/.exec(pair.trim()) ?? [];
    if (name.toLowerCase() === 'for') values.push(value);
  }
  const [value] = values;
  if (value === undefined || values.length > 1) return null;
  const [, quoted] = /^"((?:[^"\\]|\\.)*)"$/.exec(value) ?? [];
  return parseHop(quoted === undefined ? value : quoted.replace(/\\(.)/g, '$1'));
}

/** An IP address as proxies write it: alone, with a port, or in brackets with or without a port. */
function parseHop(text: string): IpAddress | null {
  const hop = text.trim();
  const bare = parseIpAddress(hop);
  if (bare) return bare;
  const [, bracketed] = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(hop) ?? [];
  if (bracketed !== undefined) return bracketed.includes(':') ? parseIpAddress(bracketed) : null;
  const [, host] = /^([\d.]+):\d{1,5}$/.exec(hop) ?? [];
  return parseIpAddress(host ?? hop);
}

/**
 * Commas and semicolons inside quoted strings do not separate entries (RFC 9110 section 5.6.4). An unclosed quote is an
 * ordinary character: a client's quote must not hide the entries that proxies append, and their own quotes come in
 * pairs.
 */
function splitOutsideQuotes(text: string, separator: string): string[] {
  if (!text.includes('"')) return text.split(separator);
  const parts: string[] = [];
  let start = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (quoted && character === '\\') i++;
    else if (character === '"') quoted = !quoted;
    else if (character === separator && !quoted) {
      parts.push(text.slice(start, i));
      start = i + 1;
    }
  }
  if (quoted) return text.split(separator);
  parts.push(text.slice(start));
  return parts;
}

/** The longest user agent that is read. No browser sends half of this length. */
export const MAX_USER_AGENT_CHARACTERS = 2_048;

/** The user agent of a request. Null when absent or blank. */
export function userAgentOf({ headers }: Pick<IncomingMessage, 'headers'>): string | null {
  return headers['user-agent']?.trim().slice(0, MAX_USER_AGENT_CHARACTERS) || null;
}

/**
 * The name of a header field for servers that turn names into variables: in lower case, with a hyphen for each character
 * that is neither a letter nor a digit. CGI, WSGI and Rack read an underscore like a hyphen, PHP reads a dot like it too.
 */
export function plainFieldName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9-]/g, '-');
}

/** Name and value of each header line, in their order of arrival. */
export function headerPairs({
  rawHeaders,
}: Pick<IncomingMessage, 'rawHeaders'>): (readonly [name: string, value: string])[] {
  const pairs: (readonly [string, string])[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    pairs.push([rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '']);
  }
  return pairs;
}

/**
 * An authority without user information: a name, an IPv4 address or a bracketed IPv6 address, with or without a port.
 */
const HOST = /^(?:\[[\da-f:.]+\]|[\w.~%!$&'()*+;=-]+)(?::\d{0,5})?$/i;

export function isHost(authority: string): boolean {
  return HOST.test(authority);
}

/**
 * Refuses requests that Node's parser accepts but other parsers read differently (measured on Node 20): two Host
 * fields, of which Node uses the first; invalid hosts; a transfer coding besides chunked, which Node would not decode;
 * HTTP/0.9 and 2.0 request lines; header lines after the 2,000th, which Node drops silently.
 */
export function findHeadProblem(request: IncomingMessage, maxHeaderLines: number): ProblemError | null {
  const { rawHeaders } = request;
  if (rawHeaders.length > maxHeaderLines * 2) {
    return new ProblemError('header_too_large', `A request may have at most ${maxHeaderLines} header lines.`);
  }
  if (request.httpVersion !== '1.1' && request.httpVersion !== '1.0') {
    return new ProblemError('bad_request', 'This server speaks HTTP/1.1.');
  }
  let host: string | null = null;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name?.length === 4 && name.toLowerCase() === 'host') {
      if (host !== null) return new ProblemError('bad_request', 'The request has more than one Host header.');
      host = rawHeaders[i + 1] ?? '';
    }
  }
  if (host === null) {
    if (request.httpVersion === '1.1')
      return new ProblemError('bad_request', 'The request has no Host header.');
  } else if (!isHost(host)) {
    return new ProblemError('bad_request', 'The Host header is invalid.');
  }
  if (request.url === '*' && request.method !== 'OPTIONS') {
    return new ProblemError('bad_request', 'Only OPTIONS accepts the target *.');
  }
  const coding = request.headers['transfer-encoding'];
  if (coding === undefined) return null;
  if (request.httpVersion === '1.0') {
    return new ProblemError('bad_request', 'HTTP/1.0 does not support Transfer-Encoding.');
  }
  return coding.toLowerCase() === 'chunked'
    ? null
    : new ProblemError('bad_request', 'The only supported transfer coding is chunked.');
}
