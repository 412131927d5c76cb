import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type IpAddress, networkOf, parseIpAddress } from '../addresses/ip-address.ts';
import { peerAddress } from './proxy-protocol.ts';

/** An open connection, also during its TLS handshake. */
export interface OpenConnection {
  readonly socket: Socket;
  /** By `performance.now()`. */
  readonly openedAt: number;
  /** The answer to its newest request; null before the head of its first. */
  answer: ServerResponse | null;
  /** It speaks another protocol now. */
  isUpgraded: boolean;
}

export interface Crowd {
  /** In the order in which they were opened. */
  readonly connections: readonly OpenConnection[];
  /** The connection that needs room. */
  readonly newcomer: Socket;
  /** By `performance.now()`. */
  readonly now: number;
  /** Whether many clients may share the connections from this address. */
  readonly isProxy: (address: string) => boolean;
}

/** The share of connections that are closed together, so that a search is rare. */
const SHARE_TO_CLOSE = 0.01;
/** A head that an honest client sends arrives within this time, nearly always. */
const HEAD_ARRIVES_WITHIN_MS = 1_000;
/** An address with a larger share of all connections is a crowd by itself. */
const SHARE_OF_A_CROWD = 1 / 8;
/** A client owns such a network, and can use a new address of it for each connection. */
const IPV6_CLIENT_BITS = 64;

/**
 * Chooses the connections that are missed least, to make room for a newcomer:
 *
 * 1. those that have waited for their first head for a while,
 * 2. those that are idle after an answer,
 * 3. those that were just opened, without a head yet,
 * 4. those of one address with an eighth of all connections, whatever they do. Not of a proxy, and not of the newcomer's
 *    own address.
 *
 * The oldest of the first kind that exists.
 * @returns none when all of them are in use by many clients.
 */
export function chooseToClose(crowd: Crowd): readonly Socket[] {
  const { connections, newcomer, now } = crowd;
  const count = Math.max(1, Math.floor(connections.length * SHARE_TO_CLOSE));
  const late: Socket[] = [];
  const idle: Socket[] = [];
  const fresh: Socket[] = [];
  for (const connection of connections) {
    const { socket, openedAt, answer } = connection;
    if (socket === newcomer || isInUse(connection)) continue;
    if (answer) idle.push(socket);
    else if (now - openedAt < HEAD_ARRIVES_WITHIN_MS) fresh.push(socket);
    else late.push(socket);
    if (late.length === count) break;
  }
  const waiting = [late, idle, fresh].find(({ length }) => length > 0);
  return (waiting ?? ofOneClient(crowd)).slice(0, count);
}

function isInUse({ answer, isUpgraded }: OpenConnection): boolean {
  return isUpgraded || (answer !== null && !answer.writableFinished);
}

function ofOneClient({ connections, newcomer, isProxy }: Crowd): readonly Socket[] {
  const clientOf = createClientNames(isProxy);
  const byClient = new Map<string, Socket[]>();
  let largest: Socket[] = [];
  for (const { socket } of connections) {
    const client = clientOf(socket);
    if (client === null) continue;
    const sockets = byClient.get(client) ?? [];
    sockets.push(socket);
    byClient.set(client, sockets);
    if (sockets.length > largest.length) largest = sockets;
  }
  const isCrowd = largest.length >= connections.length * SHARE_OF_A_CROWD;
  return isCrowd && !largest.includes(newcomer) ? largest : [];
}

/** Names of clients: an IPv4 address, or the network of an IPv6 address. Null for a proxy. */
function createClientNames(isProxy: Crowd['isProxy']): (socket: Socket) => string | null {
  const known = new Map<string, string | null>();
  return (socket) => {
    const address = peerAddress(socket);
    let name = known.get(address);
    if (name === undefined) {
      name = isProxy(address) ? null : nameOf(parseIpAddress(address));
      known.set(address, name);
    }
    return name;
  };
}

function nameOf(address: IpAddress | null): string | null {
  if (!address) return null;
  return (address.family === 4 ? address : networkOf(address, IPV6_CLIENT_BITS)).words.join(':');
}
