import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf, parseIpAddress } from '../addresses/ip-address.ts';
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
interface CrowdKind {
  readonly owner: keyof Owners;
  /** The share of all connections that makes a crowd. */
  readonly share: number;
}

const CROWDS: readonly CrowdKind[] = [
  { owner: 'client', share: 1 / 8 },
  { owner: 'network', share: 1 / 2 },
];

/**
 * Chooses the connections that are missed least, to make room for a newcomer:
 *
 * 1. those that have waited for their first head for a while,
 * 2. those that are idle after an answer,
 * 3. those that were just opened, without a head yet,
 * 4. those of one client with an eighth of all connections, whatever they do, or of one network with half of them. Not of
 *    a proxy, and not of the newcomer's own.
 *
 * The oldest first.
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
  const waiting = late.length + idle.length > 0 ? [...late, ...idle] : fresh;
  if (waiting.length > 0) return waiting.slice(0, count);
  for (const kind of CROWDS) {
    const sockets = ofCrowd(crowd, kind);
    if (sockets.length > 0) return sockets.slice(0, count);
  }
  return [];
}

function isInUse({ answer, isUpgraded }: OpenConnection): boolean {
  return isUpgraded || (answer !== null && !answer.writableFinished);
}

/** A search among 10,000 connections must not hold the event loop: it counts, and then collects what it closes. */
function ofCrowd({ connections, newcomer, isProxy }: Crowd, { owner, share }: CrowdKind): Socket[] {
  const counts = new Map<string, number>();
  for (const { socket } of connections) {
    const name = ownersOf(socket)[owner];
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  counts.delete(ownersOf(newcomer)[owner]);
  const least = connections.length * share;
  const crowds = new Set<string>();
  for (const [name, count] of counts) if (count >= least) crowds.add(name);
  if (crowds.size === 0) return [];
  return connections
    .map(({ socket }) => socket)
    .filter((socket) => crowds.has(ownersOf(socket)[owner]) && !isProxy(peerAddress(socket)));
}

/** Names of the networks that hold the address of a connection. */
interface Owners {
  /** An IPv4 address, or the /64 of an IPv6 address: its owner can use a new address of it for each connection. */
  readonly client: string;
  /** An IPv4 /24 or an IPv6 /48. */
  readonly network: string;
}

const known = new WeakMap<Socket, Owners>();

function ownersOf(socket: Socket): Owners {
  const found = known.get(socket);
  if (found) return found;
  const ip = parseIpAddress(peerAddress(socket));
  const name = (prefix4: number, prefix6: number) =>
    ip ? networkOf(ip, ip.family === 4 ? prefix4 : prefix6).words.join(':') : '';
  const owners = { client: name(32, 64), network: name(24, 48) };
  known.set(socket, owners);
  return owners;
}
