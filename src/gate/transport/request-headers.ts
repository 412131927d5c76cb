import { namedByConnection, requestField } from './header-names.ts';
import type { Peer, TrustSettings } from './peer.ts';

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

export const VIA = '1.1 gatekeeper';

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
