import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type Cidr, cidrContains } from '../../addresses/cidr.ts';
import { type IpAddress, parseIpAddress } from '../../addresses/ip-address.ts';
import { isHost } from '../../http/head-checks.ts';
import { peerAddress } from '../../http/proxy-protocol.ts';
import { namedByConnection, requestField, VIA } from './header-fields.ts';

/** A request as it is to be sent on: what a client sent just now, or a held signup from before. */
export interface RequestMessage {
  readonly method: string;
  /** The request target as it came. */
  readonly target: string;
  /** Name and value in turn, as they came: Node's `rawHeaders`. */
  readonly rawHeaders: readonly string[];
  readonly peer: MessagePeer;
}

/** Who sent a message, as far as its headers say it. */
export type MessagePeer = Pick<Peer, 'address' | 'trusted' | 'secure'>;

export interface HeaderOptions {
  readonly settings: TrustSettings;
  /** The authority of an absolute-form target, which stands above `Host` (RFC 9112 section 3.2.2). */
  readonly authority: string | null;
  /** The gate's own fields, name and value in turn. */
  readonly extra: readonly string[];
  /** The body is not the one that `Content-Length` announced, or its length is set by whoever sends it. */
  readonly withoutLength: boolean;
}

/**
 * The header of the request to the upstream, name and value in turn: built anew, so that nothing reaches the upstream
 * only because nobody thought of it. Order, case and repetition of what passes stay as they came.
 *
 * Forwarding fields: of a peer that is not trusted all of them are dropped, and ours say what we saw. Of a trusted one
 * `X-Forwarded-For` and `Forwarded` (where that is the configured header) are continued, `-Proto`, `-Host` and the rest
 * kept.
 */
export function requestHeaders(message: RequestMessage, options: HeaderOptions): string[] {
  const { rawHeaders, peer } = message;
  const { clientIpHeader } = options.settings;
  const named = connectionNames(rawHeaders);
  const headers: string[] = [];
  let host = options.authority;
  let chain = '';
  let proto: string | null = null;
  let forwardedHost: string | null = null;
  let forwarded = '';

  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    const value = rawHeaders[i + 1] ?? '';
    switch (requestField(name)) {
      case 'pass':
        if (named?.has(name.toLowerCase())) break;
        // A header of the operator's own choice, which no list of known ones holds.
        if (!peer.trusted && name.length === clientIpHeader.length && name.toLowerCase() === clientIpHeader)
          break;
        headers.push(name, value);
        break;
      case 'host':
        host ??= value;
        break;
      case 'content-length':
        if (!options.withoutLength) headers.push(name, value);
        break;
      case 'x-forwarded-for':
        if (peer.trusted) chain = joined(chain, value);
        break;
      case 'x-forwarded-proto':
        if (peer.trusted) proto ??= value;
        break;
      case 'x-forwarded-host':
        if (peer.trusted) forwardedHost ??= value;
        break;
      case 'forwarded':
        if (peer.trusted && clientIpHeader === 'forwarded') forwarded = joined(forwarded, value);
        break;
      case 'client-address':
        if (peer.trusted && name.toLowerCase() === clientIpHeader) headers.push(name, value);
        break;
      case 'proxy-only':
        if (peer.trusted) headers.push(name, value);
        break;
    }
  }

  if (host !== null) headers.unshift('Host', host);
  const ownProto = peer.secure ? 'https' : 'http';
  headers.push('X-Forwarded-For', joined(chain, peer.address), 'X-Forwarded-Proto', proto ?? ownProto);
  forwardedHost ??= host;
  if (forwardedHost !== null) headers.push('X-Forwarded-Host', forwardedHost);
  if (forwarded !== '') headers.push('Forwarded', joined(forwarded, forwardedElement(peer, ownProto)));
  headers.push('Via', VIA);
  for (const text of options.extra) headers.push(text);
  return headers;
}

function connectionNames(rawHeaders: readonly string[]): ReadonlySet<string> | null {
  let value = '';
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    if (name.length === 10 && requestField(name) === 'connection')
      value = joined(value, rawHeaders[i + 1] ?? '');
  }
  return value === '' ? null : namedByConnection(value);
}

/** RFC 7239 section 4; an IPv6 address is bracketed and quoted (section 6). */
function forwardedElement({ address }: MessagePeer, proto: string): string {
  return `for=${address.includes(':') ? `"[${address}]"` : address};proto=${proto}`;
}

function joined(list: string, value: string): string {
  if (list === '') return value;
  return value === '' ? list : `${list}, ${value}`;
}

/** Who is at the other end of a client's connection. */
export interface Peer {
  /** Null when the connection was closed before it was looked at. */
  readonly ip: IpAddress | null;
  /** Canonical text; empty when the connection is gone already. */
  readonly address: string;
  /** It is one of `trusted_proxies`: what it says about those before it is believed. */
  readonly trusted: boolean;
  /** The connection is encrypted. */
  readonly secure: boolean;
}

export interface TrustSettings {
  readonly trustedProxies: readonly Cidr[];
  /** Lower case: the one header whose word about the client's address is believed of trusted proxies. */
  readonly clientIpHeader: string;
}

const known = new WeakMap<Socket, { readonly peer: Peer; readonly settings: TrustSettings }>();

/** Looked up once for each connection, and again when the settings were replaced. */
export function peerOf({ socket }: IncomingMessage, settings: TrustSettings): Peer {
  const remembered = known.get(socket);
  if (remembered?.settings === settings) return remembered.peer;
  const ip = parseIpAddress(peerAddress(socket));
  const peer: Peer = {
    ip,
    address: ip?.text ?? '',
    trusted: ip !== null && settings.trustedProxies.some((cidr) => cidrContains(cidr, ip)),
    secure: 'encrypted' in socket,
  };
  known.set(socket, { peer, settings });
  return peer;
}

/** A request target as the upstream gets it. */
interface UpstreamTarget {
  /** Origin-form (RFC 9112 section 3.2.1): path and query, byte for byte as they came. */
  readonly path: string;
  /** The authority of an absolute-form target, null for origin-form. */
  readonly authority: string | null;
}

/**
 * Origin-form stays as it is. Absolute-form, which clients send to what they take for a forward proxy, loses scheme and
 * authority; nothing is decoded, folded or cut.
 *
 * @returns null for a target that is neither.
 */
export function upstreamTarget(target: string): UpstreamTarget | null {
  if (target.startsWith('/')) return { path: target, authority: null };
  const [, authority, rest] = /^https?:\/\/([^/?#]*)(.*)$/is.exec(target) ?? [];
  if (authority === undefined || rest === undefined || !isHost(authority)) return null;
  return { path: rest.startsWith('/') ? rest : `/${rest}`, authority };
}
