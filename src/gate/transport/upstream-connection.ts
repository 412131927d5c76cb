import { isIP, type Socket } from 'node:net';
import { buildConnector, Client } from 'undici';
import type { ClientPace } from './client-pace.ts';
import { readUpToReset } from './resets.ts';
import { dropUnaskedContinue } from './unasked-continue.ts';

/** One connection to the upstream, used by one request at a time. undici opens it again after it has ended. */
export interface UpstreamConnection {
  readonly client: Client;
  /** Requests written to the open socket: the writer of a request counts it. */
  served: number;
  open: boolean;
  /** The connection has no request and the gate has not ended it: if it ends now, the upstream ended it. */
  isIdle: boolean;
  idleSince: number;
  /** The time for which it was idle before the last request acquired it. */
  idleMs: number;
  /** Whether it was acquired for an upload that the sender has not finished. */
  isPaced: boolean;
  /** Set by the exchange that uses the connection, while that exchange waits for its client. */
  stalled: ClientPace | null;
  /** The request that uses the connection was written to the socket, at least its head. */
  isWritten: boolean;
  /** Whether the operating system has accepted all bytes written to the socket. */
  hasSentAll(): boolean;
  /** Ends the socket, and with it the request that was written. The next request opens another socket. */
  closeSocket(): void;
  /** Frees the connection at once while it is abandoned, else null. */
  freeAbandoned: (() => void) | null;
  /**
   * The client of the request has disconnected, and its answer may end in a short time: a new connection costs several times
   * as much as the rest of a short answer. Called again, it does nothing.
   * @param free ends the use of the connection: when another request needs it, or after that time.
   * @returns false when the request was not sent completely: its answer may never come.
   */
  abandon(free: () => void): boolean;
  /** The use has ended, so the connection is not abandoned any more. */
  clearAbandoned(): void;
}

/**
 * One error object for all requests: to create a stack trace for each client that disconnects would cost as much as its
 * request.
 */
const NO_LONGER_NEEDED = new Error('The answer is no longer needed.');

/**
 * Less than 5 s, the time after which Node closes idle connections. This is the shortest common default that servers do
 * not announce.
 */
const KEEP_ALIVE_MS = 4_000;
/** Answers with larger heads become 502. By default nginx stops at 8 KB and Node's own client at 16 KB. */
const MAX_ANSWER_HEAD_BYTES = 65_536;
/** Most pages are complete by then. An application that stops its work without its client learns of it that much later. */
const ABANDONED_FOR_MS = 100;

export interface UpstreamConnectionOptions {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly connectTimeoutMs: number;
  /** Called when the upstream closed the connection while it was idle, with the idle time. */
  readonly onIdleEnd: (idleMs: number) => void;
}

/** Opens no socket yet: undici opens one for the first request. */
export function openUpstreamConnection(options: UpstreamConnectionOptions): UpstreamConnection {
  const { origin, onIdleEnd } = options;
  const { hostname } = new URL(origin);
  const servername = isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? hostname : '';
  const connect = buildConnector({ timeout: options.connectTimeoutMs });
  let socket: Socket | null = null;
  let abandoned: NodeJS.Timeout | undefined;
  const client = new Client(origin, {
    // Uses the upstream's name whatever Host a client sends: undici would take the name for the certificate from Host.
    connect: (target, callback) =>
      connect({ ...target, servername }, (...[error, opened]) => {
        socket = opened;
        if (!opened) return callback(error, null);
        dropUnaskedContinue(opened, () => connection.served);
        readUpToReset(opened);
        callback(null, opened);
      }),
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: MAX_ANSWER_HEAD_BYTES,
  });
  const connection: UpstreamConnection = {
    client,
    served: 0,
    open: false,
    isIdle: false,
    idleSince: 0,
    idleMs: 0,
    isPaced: false,
    stalled: null,
    isWritten: false,
    hasSentAll: () => socket?.writableLength === 0,
    closeSocket() {
      socket?.destroy(NO_LONGER_NEEDED);
      connection.open = false;
    },
    freeAbandoned: null,
    abandon(free) {
      if (!connection.isWritten || !connection.open || !connection.hasSentAll()) return false;
      if (connection.freeAbandoned) return true;
      connection.freeAbandoned = free;
      abandoned = setTimeout(free, ABANDONED_FOR_MS);
      return true;
    },
    clearAbandoned() {
      clearTimeout(abandoned);
      connection.freeAbandoned = null;
    },
  };
  client.on('connect', () => {
    connection.open = true;
    connection.served = 0;
  });
  client.on('disconnect', (_origin, _targets, error) => {
    connection.open = false;
    connection.served = 0;
    // undici's code for a connection that undici itself ended.
    if (connection.isIdle && error.code !== 'UND_ERR_INFO') onIdleEnd(idleMsOf(connection));
    connection.isIdle = false;
  });
  return connection;
}

export function idleMsOf({ idleSince }: UpstreamConnection): number {
  return performance.now() - idleSince;
}

/**
 * Learns when the upstream closes idle connections, so that requests which must not be sent twice avoid those
 * connections. Report only what the upstream did to an idle connection: a connection that the gate ended proves
 * nothing.
 */
interface ReusePolicy {
  /** The upstream closed a connection after this idle time. */
  closedAfter(idleMs: number): void;
  /** A connection was still open after this idle time. */
  openAfter(idleMs: number): void;
  /** A request was answered on a connection after this idle time. */
  answeredAfter(idleMs: number): void;
  /** Whether the upstream has probably not closed a connection after this idle time. */
  mayReuse(idleMs: number): boolean;
}

/** Servers wait longer than this for the next request. A server that closes earlier has another reason. */
const SHORTEST_IDLE_TIMEOUT_MS = 100;
/** The time for which an idle timeout is remembered. */
const REMEMBER_TIMEOUT_MS = 60_000;
/** When no close follows an answer for this time, the next answer counts as reliable again. */
const REMEMBER_PROMPT_CLOSE_MS = 1_000;
/** One in this many reused connections may be closed right after its answer. */
const TOLERATED_SHARE = 8;
const MAX_CREDIT = 64;

/**
 * Servers show two patterns. An idle timeout applies to every connection: half of that time is safe, and a connection
 * that is open after twice that time disproves it. A close right after an answer is a pattern only when it is frequent:
 * one request that makes the upstream close its connection, or a restart, must not cost every other request a new
 * connection.
 */
export function createReusePolicy(now: () => number = () => performance.now()): ReusePolicy {
  let idleTimeoutMs = Number.POSITIVE_INFINITY;
  let forgetTimeoutAt = 0;
  let credit = TOLERATED_SHARE;
  let promptCloseAt = 0;

  function openAfter(idleMs: number): void {
    if (idleMs > idleTimeoutMs * 2) idleTimeoutMs = Number.POSITIVE_INFINITY;
  }

  return {
    closedAfter(idleMs) {
      if (idleMs < SHORTEST_IDLE_TIMEOUT_MS) {
        credit = Math.max(-TOLERATED_SHARE, credit - TOLERATED_SHARE);
        promptCloseAt = now();
        return;
      }
      const known = now() > forgetTimeoutAt ? Number.POSITIVE_INFINITY : idleTimeoutMs;
      idleTimeoutMs = Math.min(known, idleMs);
      forgetTimeoutAt = now() + REMEMBER_TIMEOUT_MS;
    },
    openAfter,
    answeredAfter(idleMs) {
      if (credit < MAX_CREDIT) credit++;
      openAfter(idleMs);
    },
    mayReuse(idleMs) {
      if (idleMs >= idleTimeoutMs / 2) return now() > forgetTimeoutAt;
      return (
        credit >= 0 || idleMs >= SHORTEST_IDLE_TIMEOUT_MS || now() - promptCloseAt > REMEMBER_PROMPT_CLOSE_MS
      );
    },
  };
}
