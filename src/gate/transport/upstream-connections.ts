import { isIP } from 'node:net';
import { buildConnector, Client } from 'undici';
import { ProblemError } from '../../http/problem.ts';

/** One connection to the upstream, lent to one request at a time. undici opens it again when it has ended. */
export interface UpstreamConnection {
  readonly client: Client;
  /** Requests written to the socket that is open now: counted by whoever writes them. */
  served: number;
  open: boolean;
  lent: boolean;
  idleSince: number;
  /** How long it had been idle when it was lent last. */
  idleMs: number;
}

export interface UpstreamOptions {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly connectTimeoutMs: number;
  readonly maxConnections: number;
}

/**
 * What a request needs of its connection. `proven`: idle for so short a time that the upstream has never been seen to
 * close one. `new`: nothing was sent on it yet.
 */
export type Freshness = 'any' | 'proven' | 'new';

export interface UpstreamConnections {
  /**
   * Lends a connection at once or when one is free. Whoever takes it gives it back when undici is through with the
   * request, and not before.
   *
   * @returns forgets the wish; nothing happens when it was fulfilled.
   */
  take(
    freshness: Freshness,
    use: (connection: UpstreamConnection) => void,
    fail: (error: ProblemError) => void,
  ): () => void;
  giveBack(connection: UpstreamConnection): void;
  /**
   * Ends a connection whose request is not wanted any more; it is not given back. A request that is aborted alone stays
   * in undici's queue, and undici connects anew only to drop it there.
   */
  discard(connection: UpstreamConnection): void;
  /** The upstream closed a connection on which a request had just been written. */
  noteStale(connection: UpstreamConnection): void;
  /** Open sockets. */
  openCount(): number;
  /** Ends idle connections now and the others as they are given back. */
  close(): Promise<void>;
}

/** Below the 5 s after which Node closes idle connections, the shortest of the common defaults that is not announced. */
const KEEP_ALIVE_MS = 4_000;
/** Answers with larger heads are refused with 502; nginx stops at 8 KB by default, Node's own client at 16. */
const MAX_ANSWER_HEAD_BYTES = 65_536;
/** Requests that may wait, for each connection there may be. */
const WAITING_PER_CONNECTION = 4;
/** How long it is remembered when the upstream was seen to close idle connections. */
const REMEMBER_MS = 60_000;

/**
 * A bounded stack of undici clients. The last one given back is the first one lent: it is the warmest, and the others
 * can end. undici's own Pool has no bound on those who wait, and cannot say whether a socket was used before, which
 * decides about retries.
 */
export function createUpstreamConnections(options: UpstreamOptions): UpstreamConnections {
  const { origin, connectTimeoutMs, maxConnections } = options;
  const { hostname } = new URL(origin);
  const servername = isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? hostname : '';
  const connect = buildConnector({ timeout: connectTimeoutMs });
  const all = new Set<UpstreamConnection>();
  const idle: UpstreamConnection[] = [];
  const waiting = new Set<(connection: UpstreamConnection) => void>();
  let shortestIdleMs = Number.POSITIVE_INFINITY;
  let forgetAt = 0;
  let closing: (() => void) | null = null;

  function open(): UpstreamConnection {
    const client = new Client(origin, {
      // The name of the upstream, whatever Host a client sends: undici would take the certificate's name from that.
      connect: (target, callback) => connect({ ...target, servername: servername }, callback),
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: MAX_ANSWER_HEAD_BYTES,
    });
    const connection: UpstreamConnection = {
      client,
      served: 0,
      open: false,
      lent: false,
      idleSince: 0,
      idleMs: 0,
    };
    client.on('connect', () => {
      connection.open = true;
      connection.served = 0;
    });
    client.on('disconnect', (_origin, _targets, error) => {
      connection.open = false;
      connection.served = 0;
      // undici's own word for a connection that it ended itself.
      if (!connection.lent && error.code !== 'UND_ERR_INFO')
        noteIdleEnd(performance.now() - connection.idleSince);
    });
    all.add(connection);
    return connection;
  }

  function noteIdleEnd(idleMs: number): void {
    const now = performance.now();
    if (now > forgetAt) shortestIdleMs = Number.POSITIVE_INFINITY;
    shortestIdleMs = Math.min(shortestIdleMs, idleMs);
    forgetAt = now + REMEMBER_MS;
  }

  function lend(connection: UpstreamConnection): UpstreamConnection {
    connection.lent = true;
    connection.idleMs = performance.now() - connection.idleSince;
    return connection;
  }

  /** Half of the shortest time after which the upstream was seen to close: a request under way now still arrives. */
  function isProven({ open, idleSince }: UpstreamConnection): boolean {
    const now = performance.now();
    return !open || now > forgetAt || now - idleSince < shortestIdleMs / 2;
  }

  function find(freshness: Freshness): UpstreamConnection | null {
    const last = idle.at(-1);
    if (last && (freshness === 'any' || !last.open || (freshness === 'proven' && isProven(last)))) {
      return idle.pop() ?? null;
    }
    const unopened = idle.findIndex(({ open }) => !open);
    if (unopened !== -1) return idle.splice(unopened, 1)[0] ?? null;
    if (all.size < maxConnections) return open();
    // All are open and none will do: the one idle for longest makes room.
    const oldest = idle.shift();
    if (!oldest) return null;
    end(oldest);
    return open();
  }

  function end(connection: UpstreamConnection): void {
    all.delete(connection);
    void connection.client.destroy();
    if (all.size === 0) closing?.();
  }

  function nextWaiting(): ((connection: UpstreamConnection) => void) | null {
    const [next] = waiting;
    if (!next) return null;
    waiting.delete(next);
    return next;
  }

  return {
    take(freshness, use, fail) {
      if (closing) {
        fail(
          new ProblemError('shutting_down', 'The server is shutting down; ask again.', {
            retryAfterSeconds: 1,
          }),
        );
        return () => {};
      }
      const connection = find(freshness);
      if (connection) {
        use(lend(connection));
        return () => {};
      }
      if (waiting.size >= maxConnections * WAITING_PER_CONNECTION) {
        fail(overloaded());
        return () => {};
      }
      const waiter = (connection: UpstreamConnection) => {
        clearTimeout(timer);
        use(connection);
      };
      const timer = setTimeout(() => {
        waiting.delete(waiter);
        fail(overloaded());
      }, connectTimeoutMs);
      waiting.add(waiter);
      return () => {
        clearTimeout(timer);
        waiting.delete(waiter);
      };
    },
    giveBack(connection) {
      connection.lent = false;
      connection.idleSince = performance.now();
      if (closing && waiting.size === 0) {
        end(connection);
        return;
      }
      const next = nextWaiting();
      if (next) next(lend(connection));
      else idle.push(connection);
    },
    discard(connection) {
      const next = nextWaiting();
      if (next) next(lend(open()));
      end(connection);
    },
    noteStale(connection) {
      noteIdleEnd(connection.idleMs);
    },
    openCount: () => [...all].filter((connection) => connection.open).length,
    close() {
      return new Promise((resolve) => {
        closing = resolve;
        for (const connection of idle.splice(0)) end(connection);
        if (all.size === 0) resolve();
      });
    },
  };
}

function overloaded(): ProblemError {
  return new ProblemError('overloaded', 'The application has too much to do right now.', {
    retryAfterSeconds: 1,
  });
}
