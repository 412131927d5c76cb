import { ProblemError } from '../../http/problem.ts';
import { createAcquireQueue } from './acquire-queue.ts';
import { createStalledEviction } from './client-pace.ts';
import {
  createReusePolicy,
  idleMsOf,
  openUpstreamConnection,
  type UpstreamConnection,
} from './upstream-connection.ts';

export interface UpstreamOptions {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly connectTimeoutMs: number;
  readonly maxConnections: number;
}

/** What a request needs of its connection. `proven`: allowed by the reuse policy. `new`: nothing was sent on it yet. */
export type ReuseRequirement = 'any' | 'proven' | 'new';

export interface AcquireRequest {
  readonly reuse: ReuseRequirement;
  /** For an upload that its sender has still to bring. Such may not take the last connections. */
  readonly isPaced: boolean;
  readonly use: (connection: UpstreamConnection) => void;
  readonly fail: (problem: ProblemError) => void;
}

export interface UpstreamConnections {
  /**
   * Lends a connection at once or when one is free. It is given back when undici is through with the request, and not
   * before.
   *
   * @returns cancels the request; does nothing once a connection was given.
   */
  acquire(request: AcquireRequest): () => void;
  /** @param isIntact whether a request was answered on it to the end: otherwise it is open no more, or not for long. */
  release(connection: UpstreamConnection, isIntact: boolean): void;
  /**
   * Ends a connection whose request is not wanted any more; it is not given back. A request that is aborted alone stays
   * in undici's queue, and undici connects anew only to drop it there.
   */
  discard(connection: UpstreamConnection): void;
  /** The upstream closed a connection on which a request had just been written. */
  markStale(connection: UpstreamConnection): void;
  /** How many requests are under way. */
  acquiredCount(): number;
  /** Open sockets. */
  openCount(): number;
  /**
   * Ends idle connections now and the others as they are given back.
   *
   * @param withinMs ends those that are lent still; left out: never.
   */
  close(withinMs?: number): Promise<void>;
}

/** Requests that may wait, for each connection there may be. */
const WAITING_PER_CONNECTION = 4;
/** What slow uploads leave to everybody else. */
const SHARE_OF_UPLOADS = 0.75;

/**
 * A bounded stack of undici clients. The last one given back is the first one lent: it is the warmest, and the others
 * can end. undici's own Pool has no bound on those who wait, and cannot say whether a socket was used before, which
 * decides about retries.
 */
export function createUpstreamConnections(options: UpstreamOptions): UpstreamConnections {
  const { origin, connectTimeoutMs, maxConnections } = options;
  const all = new Set<UpstreamConnection>();
  const idle: UpstreamConnection[] = [];
  const waiting = createAcquireQueue<UpstreamConnection>({
    capacity: maxConnections * WAITING_PER_CONNECTION,
    timeoutMs: connectTimeoutMs,
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
    // All are open and none will do: the one idle for longest makes room.
    if (!oldest) return null;
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

  /** The loan is over, in whatever way. */
  function settle(connection: UpstreamConnection): void {
    if (connection.isPaced) paced--;
    connection.isPaced = false;
    connection.stalled = null;
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
    release(connection, isIntact) {
      settle(connection);
      connection.isIdle = isIntact;
      connection.idleSince = performance.now();
      if (isIntact && connection.served > 1) policy.answeredAfter(connection.idleMs);
      const next = waiting.next(paced < maxPaced);
      if (next) next(connection);
      else if (closing && waiting.isEmpty()) end(connection);
      else idle.push(connection);
    },
    discard(connection) {
      settle(connection);
      all.delete(connection);
      const next = waiting.next(paced < maxPaced);
      const another = next && find('any');
      if (another) next(another);
      end(connection);
    },
    markStale(connection) {
      policy.closedAfter(connection.idleMs);
    },
    acquiredCount: () => all.size - idle.length,
    openCount: () => [...all].filter((connection) => connection.open).length,
    close(withinMs) {
      return new Promise((resolve) => {
        const timer =
          withinMs === undefined
            ? undefined
            : setTimeout(() => {
                for (const connection of all) end(connection);
              }, withinMs);
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

function shuttingDown(): ProblemError {
  return new ProblemError('shutting_down', 'The server is shutting down; ask again.', {
    retryAfterSeconds: 1,
  });
}
