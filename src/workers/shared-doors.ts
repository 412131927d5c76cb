import { createServer, type Server, type Socket } from 'node:net';
import type { ListenAddress } from '../config/listen-address.ts';
import type { DoorName } from '../gatekeeper/gatekeeper.ts';
import { acceptWaiting } from '../http/accept-waiting.ts';
import { BACKLOG, bindServer } from '../http/bind-server.ts';
import type { ListenError } from '../http/listen-error.ts';
import { StorageAwayError } from '../storage/storage-error.ts';
import type { WorkerCalls } from './calls.ts';
import type { Channel } from './channel.ts';

/** The listeners that all workers share. They stay open while workers end and start. */
export interface SharedDoors {
  /** Opens the door at the first call; later calls get the same address. */
  open(door: DoorName, listen: ListenAddress): Promise<ListenAddress>;
  /** The reason why a door could not be opened; null when all doors are open. */
  readonly failure: ListenError | null;
  /** Sends the connections that waited for a worker. */
  distribute(): void;
  /** Records how many connections of that worker have ended. */
  closed(receiver: Receiver, connections: number): void;
  /** Sends the connections that the system has accepted, and accepts no more. */
  close(withinMs: number): Promise<void>;
}

/** A worker. */
export interface Receiver {
  readonly channel: Pick<Channel<WorkerCalls>, 'call'>;
}

interface Connection {
  readonly door: DoorName;
  readonly socket: Socket;
}

/**
 * Accepts connections and sends each to one worker: to the one with the fewest connections that it has not taken yet.
 * Among equal workers, the one with the fewest open connections is next; when these are equal too, the workers take
 * turns. So a new worker soon has its share of the connections that stay open. Until the worker has taken the
 * connection, this process keeps it too. If the worker dies, another worker receives it. `node:cluster` cannot do this,
 * and cannot stop without losing connections, so it is not used.
 *
 * @param receivers The workers that serve requests now.
 */
export function createSharedDoors(receivers: () => readonly Receiver[]): SharedDoors {
  const opened = new Map<DoorName, Promise<ListenAddress>>();
  const servers: Server[] = [];
  const unanswered = new Map<Receiver, number>();
  const open = new WeakMap<Receiver, number>();
  const ended = new WeakSet<Receiver>();
  let waiting: Connection[] = [];
  let underWay = 0;
  let accepted = 0;
  let turn = 0;
  let failure: ListenError | null = null;
  let whenIdle = () => {};

  async function bind(door: DoorName, listen: ListenAddress): Promise<ListenAddress> {
    // Only the workers read; until then, the system buffers the data. Small packets are sent without delay, as in
    // Node's HTTP servers.
    const server = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => {
      accepted++;
      socket.on('error', () => socket.destroy());
      void handOver({ door, socket });
    });
    try {
      const address = await bindServer(server, { listen, accept: undefined, admit: () => {} });
      servers.push(server);
      return address;
    } catch (error) {
      failure = error as ListenError;
      // The dashboard tries again until the address is free.
      opened.delete(door);
      throw failure.cause;
    }
  }

  function nextReceiver(): Receiver | null {
    const all = receivers();
    turn++;
    let best: Receiver | null = null;
    for (let i = 0; i < all.length; i++) {
      const receiver = all[(turn + i) % all.length];
      if (!receiver || ended.has(receiver)) continue;
      if (best === null || isFreer(receiver, best)) best = receiver;
    }
    return best;
  }

  function isFreer(one: Receiver, other: Receiver): boolean {
    const difference = countOf(one) - countOf(other);
    return difference === 0 ? openOf(one) < openOf(other) : difference < 0;
  }

  function openOf(receiver: Receiver): number {
    return open.get(receiver) ?? 0;
  }

  function closed(receiver: Receiver, connections: number): void {
    open.set(receiver, Math.max(0, openOf(receiver) - connections));
  }

  function countOf(receiver: Receiver): number {
    return unanswered.get(receiver) ?? 0;
  }

  async function handOver(connection: Connection): Promise<void> {
    const { door, socket } = connection;
    const receiver = nextReceiver();
    if (receiver === null) {
      if (waiting.length < BACKLOG) waiting.push(connection);
      else socket.destroy();
      return;
    }
    underWay++;
    unanswered.set(receiver, countOf(receiver) + 1);
    open.set(receiver, openOf(receiver) + 1);
    try {
      await receiver.channel.call('connection', door, socket);
      socket.destroy();
    } catch (error) {
      if (error instanceof StorageAwayError) {
        // The event that removes a dead worker from the receivers comes later. It would never come if this process sent
        // the same connections to the dead worker again and again.
        ended.add(receiver);
        void handOver(connection);
      } else {
        closed(receiver, 1);
        socket.destroy();
      }
    }
    underWay--;
    const left = countOf(receiver) - 1;
    if (left > 0) unanswered.set(receiver, left);
    else unanswered.delete(receiver);
    if (underWay === 0) whenIdle();
  }

  return {
    open(door, listen) {
      const address = opened.get(door) ?? bind(door, listen);
      opened.set(door, address);
      return address;
    },
    get failure() {
      return failure;
    },
    distribute() {
      const connections = waiting;
      waiting = [];
      for (const connection of connections) void handOver(connection);
    },
    closed,
    async close(withinMs) {
      await acceptWaiting(() => accepted, withinMs / 2);
      for (const server of servers) server.close();
      for (const { socket } of waiting) socket.destroy();
      waiting = [];
      if (underWay === 0) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, withinMs / 2);
        whenIdle = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    },
  };
}
