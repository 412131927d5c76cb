import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type Cidr, cidrContains } from '../../addresses/cidr.ts';
import { type IpAddress, parseIpAddress } from '../../addresses/ip-address.ts';
import { peerAddress } from '../../http/proxy-protocol.ts';

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
