import type { ProblemError } from '../../http/problem.ts';
import { createStalledEviction } from './client-pace.ts';
import { createReusePolicy, idleMsOf, openUpstreamConnection } from './open-upstream-connection.ts';
import type { ReuseRequirement, UpstreamConnection, UpstreamConnections } from './upstream-connection.ts';
import { overloaded, shuttingDown } from './upstream-problem.ts';

export interface UpstreamOptions {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly connectTimeoutMs: number;
  readonly maxConnections: number;
  /** Called for each request that gets no connection: all are in use, and it waited too long or found no place. */
  readonly onNoneFree: () => void;
}

/** Requests that may wait, for each possible connection. */
const WAITING_PER_CONNECTION = 4;
/** Above this number, connections that have closed are not kept for later: each takes 8 KB. */
const KEPT_CONNECTIONS = 256;
/** The share of connections that slow uploads may use; the rest is for other requests. */
const SHARE_OF_UPLOADS = 0.75;

/**
 * A bounded stack of undici clients. The connection released last is used first: it was idle for the shortest time, and
 * the others can end. undici's own Pool does not limit the waiting requests, and does not tell whether a socket was used
 * before, which decides about retries.
 */
export function createUpstreamConnections(options: UpstreamOptions): UpstreamConnections {
  const { origin, connectTimeoutMs, maxConnections } = options;
  const all = new Set<UpstreamConnection>();
  const idle: UpstreamConnection[] = [];
  const waiting = createAcquireQueue({
    capacity: maxConnections * WAITING_PER_CONNECTION,
    timeoutMs: connectTimeoutMs,
    onRefused: options.onNoneFree,
  });
  const evictSlowest = createStalledEviction(all, () => !waiting.isEmpty());
  const maxPaced = Math.max(1, Math.floor(maxConnections * SHARE_OF_UPLOADS));
  let paced = 0;
  const policy = createReusePolicy();
  let closing: (() => void) | null = null;

  function open(): UpstreamConnection {
    const connection = openUpstreamConnection({ origin, connectTimeoutMs, onIdleEnd: policy.closedAfter });
    all.add(connection);
    return connection;
  }

  function acquireNow(connection: UpstreamConnection, isPaced: boolean): UpstreamConnection {
    connection.isIdle = false;
    connection.isWritten = false;
    connection.isPaced = isPaced;
    if (isPaced) paced++;
    connection.idleMs = idleMsOf(connection);
    return connection;
  }

  function mayTake(connection: UpstreamConnection, reuse: ReuseRequirement): boolean {
    if (reuse === 'any' || !connection.open) return true;
    return reuse === 'proven' && policy.mayReuse(idleMsOf(connection));
  }

  function find(reuse: ReuseRequirement): UpstreamConnection | null {
    const last = idle.at(-1);
    if (last && mayTake(last, reuse)) return idle.pop() ?? null;
    const [oldest] = idle;
    if (oldest?.open) policy.openAfter(idleMsOf(oldest));
    if (oldest && mayTake(oldest, reuse)) return idle.shift() ?? null;
    const unopened = idle.findIndex(({ open }) => !open);
    if (unopened !== -1) return idle.splice(unopened, 1)[0] ?? null;
    if (all.size < maxConnections) return open();
    // All connections are open, and none is suitable. One that is abandoned or was idle for the longest time is closed.
    if (!oldest) {
      [...all].find(({ freeAbandoned }) => freeAbandoned !== null)?.freeAbandoned?.();
      return idle.pop() ?? null;
    }
    idle.shift();
    end(oldest);
    return open();
  }

  function end(connection: UpstreamConnection): void {
    all.delete(connection);
    connection.isIdle = false;
    void connection.client.destroy();
    if (all.size === 0) closing?.();
  }

  function endAll(): void {
    for (const connection of all) end(connection);
  }

  /** The use of a connection has ended, for any reason. */
  function settle(connection: UpstreamConnection): void {
    if (connection.isPaced) paced--;
    connection.isPaced = false;
    connection.stalled = null;
    connection.clearAbandoned();
  }

  function release(connection: UpstreamConnection, isIntact: boolean): void {
    settle(connection);
    connection.isIdle = isIntact;
    connection.idleSince = performance.now();
    if (isIntact && connection.served > 1) policy.answeredAfter(connection.idleMs);
    const next = waiting.next(paced < maxPaced);
    if (next) next(connection);
    else if (closing && waiting.isEmpty()) end(connection);
    else idle.push(connection);
    const [oldest] = idle;
    if (all.size > KEPT_CONNECTIONS && oldest && !oldest.open) {
      idle.shift();
      end(oldest);
    }
  }

  return {
    acquire({ reuse, isPaced, use, fail }) {
      if (closing) {
        fail(shuttingDown());
        return () => {};
      }
      const connection = isPaced && paced >= maxPaced ? null : find(reuse);
      if (connection) {
        use(acquireNow(connection, isPaced));
        return () => {};
      }
      evictSlowest();
      return waiting.join(isPaced, (connection) => use(acquireNow(connection, isPaced)), fail);
    },
    release,
    discard(connection) {
      // A client that disconnects costs one socket. A new undici client would cost twice as much.
      if (connection.isWritten && connection.open) {
        connection.closeSocket();
        release(connection, false);
        return;
      }
      settle(connection);
      all.delete(connection);
      const next = waiting.next(paced < maxPaced);
      const another = next && find('any');
      if (another) next(another);
      end(connection);
    },
    abandon: (connection, free) => waiting.isEmpty() && connection.abandon(free),
    markStale: ({ idleMs }) => policy.closedAfter(idleMs),
    acquiredCount: () => all.size - idle.length,
    openCount: () => [...all].filter((connection) => connection.open).length,
    close(withinMs) {
      return new Promise((resolve) => {
        const timer = withinMs === undefined ? undefined : setTimeout(endAll, withinMs);
        closing = () => {
          clearTimeout(timer);
          resolve();
        };
        for (const connection of idle.splice(0)) end(connection);
        if (all.size === 0) closing();
      });
    },
  };
}

type Use = (connection: UpstreamConnection) => void;

interface AcquireQueue {
  /**
   * Waits for a free connection, with a time limit.
   * @param isPaced whether the client determines when the connection is free again.
   * @returns leaves the queue; does nothing for a request that has left already.
   */
  join(isPaced: boolean, use: Use, fail: (problem: ProblemError) => void): () => void;
  /** Removes the first request that may have a connection now from the queue. */
  next(mayBePaced: boolean): Use | null;
  isEmpty(): boolean;
}

interface AcquireQueueLimits {
  readonly capacity: number;
  readonly timeoutMs: number;
  readonly onRefused: () => void;
}

/** A bounded queue of requests that wait for a connection. */
function createAcquireQueue(limits: AcquireQueueLimits): AcquireQueue {
  /** A number that gives the order of joining. */
  const ordinary = new Map<Use, number>();
  const paced = new Map<Use, number>();
  let joined = 0;
  const refuse = (fail: (problem: ProblemError) => void) => {
    limits.onRefused();
    fail(overloaded());
  };

  return {
    join(isPaced, use, fail) {
      if (ordinary.size + paced.size >= limits.capacity) {
        refuse(fail);
        return () => {};
      }
      const line = isPaced ? paced : ordinary;
      const waiter: Use = (connection) => {
        clearTimeout(timer);
        use(connection);
      };
      const timer = setTimeout(() => {
        line.delete(waiter);
        refuse(fail);
      }, limits.timeoutMs);
      line.set(waiter, joined++);
      return () => {
        clearTimeout(timer);
        line.delete(waiter);
      };
    },
    next(mayBePaced) {
      const [first] = ordinary;
      const [firstPaced] = mayBePaced ? paced : [];
      if (firstPaced && (!first || firstPaced[1] < first[1])) {
        paced.delete(firstPaced[0]);
        return firstPaced[0];
      }
      if (first) ordinary.delete(first[0]);
      return first?.[0] ?? null;
    },
    isEmpty: () => ordinary.size + paced.size === 0,
  };
}
