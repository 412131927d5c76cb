import type { Socket } from 'node:net';
import { parseIpAddress } from '../addresses/ip-address.ts';
import type { DoorName } from '../gatekeeper/gatekeeper.ts';
import { clientName } from '../http/request-head.ts';
import { createSenderQueue } from '../sender-queue.ts';

export interface Connection {
  readonly door: DoorName;
  readonly socket: Socket;
}

/** Accepted connections that wait for a worker. Their clients take turns: a flood from one address delays no others. */
export interface WaitingConnections {
  readonly size: number;
  /** Adds a connection. At the limit, the client with most of them loses its newest one. */
  add(connection: Connection): void;
  /** Adds a connection that a worker did not take: it comes first in the turn of its client. */
  addAgain(connection: Connection): void;
  /** Removes and returns the connection whose turn is next. */
  next(): Connection | undefined;
}

export function createWaitingConnections(limit: number): WaitingConnections {
  const queue = createSenderQueue<Connection>();
  const clientOf = ({ socket }: Connection) => clientName(parseIpAddress(socket.remoteAddress ?? ''));
  return {
    get size() {
      return queue.size;
    },
    add(connection) {
      queue.add(clientOf(connection), connection);
      if (queue.size > limit) queue.removeNewestOfMost()?.socket.destroy();
    },
    addAgain: (connection) => queue.addAgain(clientOf(connection), connection),
    next: queue.next,
  };
}
