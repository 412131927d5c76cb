import { createServer, type Server } from 'node:net';
import type { ListenAddress } from '../config/listen-address.ts';
import type { DoorName } from '../gatekeeper/gatekeeper.ts';
import { acceptWaiting } from '../http/accept-waiting.ts';
import { BACKLOG, bindServer } from '../http/bind-server.ts';
import type { ListenError } from '../http/listen-error.ts';
import { StorageAwayError } from '../storage/storage-error.ts';
import type { WorkerCalls } from './calls.ts';
import type { Channel } from './channel.ts';
import { type Connection, createWaitingConnections } from './waiting-connections.ts';

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

/**
 * The connections that are sent to one worker before it takes the first: the channel delivers them one by one, so more
 * of them would only be out of turn.
 */
const MAX_UNANSWERED = 4;

/**
 * Accepts connections and sends each to one worker: to the one with the fewest connections that it has not taken yet.
 * Among equal workers, the one with the fewest open connections is next; when these are equal too, the workers take
 * turns. So a new worker soon has its share of the connections that stay open. Until the worker has taken the
 * connection, this process keeps it too. If the worker dies, another worker receives it. While all workers are busy,
 * connections wait here, and their clients take turns. `node:cluster` cannot do this,
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
  const waiting = createWaitingConnections(BACKLOG);
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
      waiting.add({ door, socket });
      distribute();
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
    return best !== null && countOf(best) < MAX_UNANSWERED ? best : null;
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

  function distribute(): void {
    while (waiting.size > 0) {
      const receiver = nextReceiver();
      const connection = receiver && waiting.next();
      if (!connection) return;
      void handOver(connection, receiver);
    }
  }

  async function handOver(connection: Connection, receiver: Receiver): Promise<void> {
    const { door, socket } = connection;
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
        waiting.addAgain(connection);
      } else {
        closed(receiver, 1);
        socket.destroy();
      }
    }
    underWay--;
    const left = countOf(receiver) - 1;
    if (left > 0) unanswered.set(receiver, left);
    else unanswered.delete(receiver);
    distribute();
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
    distribute,
    closed,
    async close(withinMs) {
      await acceptWaiting(() => accepted, withinMs / 2);
      for (const server of servers) server.close();
      if (underWay > 0) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, withinMs / 2);
          whenIdle = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      for (let left = waiting.next(); left; left = waiting.next()) left.socket.destroy();
    },
  };
}
