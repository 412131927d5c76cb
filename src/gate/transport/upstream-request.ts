import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type Cidr, cidrContains, type IpAddress, parseIpAddress } from '../../addresses/ip-address.ts';
import { isEncrypted, peerAddress } from '../../http/proxy-protocol.ts';
import { clientAddress, clientName, isHost, plainFieldName } from '../../http/request-head.ts';
import { isForwardingValue } from './forwarding-values.ts';
import { namedByConnection, requestField, VIA } from './header-fields.ts';

/** A request to forward: from a client now, or a held signup from before. */
export interface RequestMessage {
  readonly method: string;
  /** The request target as it arrived. */
  readonly target: string;
  /** The header fields as they arrived (Node's `rawHeaders`): name, value, name, value, … */
  readonly rawHeaders: readonly string[];
  readonly peer: MessagePeer;
}

/** The sender of a message, as far as the headers need it. */
export type MessagePeer = Pick<Peer, 'address' | 'trusted' | 'secure'>;

export interface HeaderOptions {
  readonly settings: TrustSettings;
  /** The authority of an absolute-form target, which overrides `Host` (RFC 9112 section 3.2.2). */
  readonly authority: string | null;
  /** The gate's own header fields: name, value, name, value, … */
  readonly extra: readonly string[];
  /** Leave `Content-Length` out: it does not fit the body any more, or the code that sends the body sets it. */
  readonly withoutLength: boolean;
}

/**
 * Builds the header fields of the request to the upstream: name, value, name, value, … It is a new header, so that no
 * unknown framing or forwarding field reaches the upstream by accident. Order, case and repetition of the forwarded
 * fields stay.
 *
 * Forwarding fields of an untrusted peer are dropped, and the gate writes its own. For a trusted peer,
 * `X-Forwarded-For` and `Forwarded` (if it is the configured header) are continued; `-Proto`, `-Host` and the others
 * are kept when their value is one.
 */
export function requestHeaders(message: RequestMessage, options: HeaderOptions): string[] {
  const { rawHeaders, peer } = message;
  const { clientIpHeader } = options.settings;
  const named = connectionNames(rawHeaders);
  // The operator may configure a header that is not in the list of known headers.
  const isOwnHeader = requestField(clientIpHeader) === 'pass';
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
        if (
          isOwnHeader &&
          name.length === clientIpHeader.length &&
          plainFieldName(name) === plainFieldName(clientIpHeader) &&
          (!peer.trusted || name.toLowerCase() !== clientIpHeader)
        )
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
        if (peer.trusted && isForwardingValue('x-forwarded-proto', value)) proto ??= value;
        break;
      case 'x-forwarded-host':
        if (peer.trusted && isForwardingValue('x-forwarded-host', value)) forwardedHost ??= value;
        break;
      case 'forwarded':
        if (peer.trusted && clientIpHeader === 'forwarded' && isForwardingValue('forwarded', value))
          forwarded = joined(forwarded, value);
        break;
      case 'client-address':
        if (peer.trusted && name.toLowerCase() === clientIpHeader) headers.push(name, value);
        break;
      case 'proxy-only':
        if (peer.trusted && isForwardingValue(name.toLowerCase(), value)) headers.push(name, value);
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

/** The other end of a client's connection. */
export interface Peer {
  /** Null when the connection was closed before the first look. */
  readonly ip: IpAddress | null;
  /** Canonical text; empty when the connection is closed. */
  readonly address: string;
  /** The peer is one of `trusted_proxies`: its statements about earlier hops are accepted. */
  readonly trusted: boolean;
  /** The client's connection is encrypted. */
  readonly secure: boolean;
}

export interface TrustSettings {
  readonly trustedProxies: readonly Cidr[];
  /** The only header that a trusted proxy may use to name the client's address, in lower case. */
  readonly clientIpHeader: string;
}

/** A reload replaces `current`; a request reads it once. */
export interface CurrentTrust {
  readonly current: { readonly trust: TrustSettings };
}

const known = new WeakMap<Socket, { readonly peer: Peer; readonly settings: TrustSettings }>();

/** Looked up once for each connection, and again after the settings were replaced. */
export function peerOf({ socket }: IncomingMessage, settings: TrustSettings): Peer {
  const remembered = known.get(socket);
  if (remembered?.settings === settings) return remembered.peer;
  const ip = parseIpAddress(peerAddress(socket));
  const peer: Peer = {
    ip,
    address: ip?.text ?? '',
    trusted: ip !== null && settings.trustedProxies.some((cidr) => cidrContains(cidr, ip)),
    secure: isEncrypted(socket),
  };
  known.set(socket, { peer, settings });
  return peer;
}

/** Names the sender, for turns among many. */
export function senderName(
  peer: Pick<Peer, 'ip' | 'trusted'>,
  rawHeaders: readonly string[],
  settings: TrustSettings,
): string {
  return clientName(senderAddress(peer, rawHeaders, settings));
}

/** The address of the sender, behind trusted proxies too. Null when the connection was closed before it was read. */
export function senderAddress(
  { ip: socketAddress, trusted }: Pick<Peer, 'ip' | 'trusted'>,
  rawHeaders: readonly string[],
  { trustedProxies, clientIpHeader }: TrustSettings,
): IpAddress | null {
  if (!socketAddress || !trusted) return socketAddress;
  return clientAddress({ socketAddress, trustedProxies, header: clientIpHeader, rawHeaders });
}

/** A request target as the upstream receives it. */
interface UpstreamTarget {
  /** Origin-form (RFC 9112 section 3.2.1): path and query, byte for byte. */
  readonly path: string;
  /** The authority of an absolute-form target, null for origin-form. */
  readonly authority: string | null;
}

/**
 * Origin-form stays unchanged. Absolute-form, which clients send to a forward proxy, loses scheme and authority. The
 * rest is neither decoded nor normalised.
 * @returns null for any other form.
 */
export function upstreamTarget(target: string): UpstreamTarget | null {
  if (target.startsWith('/')) return { path: target, authority: null };
  const [, authority, rest] = /^https?:\/\/([^/?#]*)(.*)$/is.exec(target) ?? [];
  if (authority === undefined || rest === undefined || !isHost(authority)) return null;
  return { path: rest.startsWith('/') ? rest : `/${rest}`, authority };
}
