import type { Socket } from 'node:net';
import { parseIpAddress } from '../addresses/ip-address.ts';
import type { DoorName } from '../gatekeeper/gatekeeper.ts';
import { clientName } from '../http/request-head.ts';

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
  /** The client whose turn is next comes first. */
  const byClient = new Map<string, Connection[]>();
  let size = 0;

  function queueOf({ socket }: Connection): Connection[] {
    const client = clientName(parseIpAddress(socket.remoteAddress ?? ''));
    const queue = byClient.get(client) ?? [];
    byClient.set(client, queue);
    return queue;
  }

  function dropNewestOfMost(): void {
    let most: Connection[] = [];
    for (const queue of byClient.values()) if (queue.length > most.length) most = queue;
    most.pop()?.socket.destroy();
    size--;
  }

  return {
    get size() {
      return size;
    },
    add(connection) {
      queueOf(connection).push(connection);
      size++;
      if (size > limit) dropNewestOfMost();
    },
    addAgain(connection) {
      queueOf(connection).unshift(connection);
      size++;
    },
    next() {
      for (const [client, queue] of byClient) {
        byClient.delete(client);
        const connection = queue.shift();
        if (queue.length > 0) byClient.set(client, queue);
        if (!connection) continue;
        size--;
        return connection;
      }
      return undefined;
    },
  };
}
