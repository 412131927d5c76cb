import { isIP, type Socket } from 'node:net';
import { buildConnector, Client } from 'undici';
import type { ClientPace } from './client-pace.ts';

/** One connection to the upstream, lent to one request at a time. undici opens it again when it has ended. */
export interface UpstreamConnection {
  readonly client: Client;
  /** Requests written to the socket that is open now: counted by whoever writes them. */
  served: number;
  open: boolean;
  /** Nothing is asked on it, and we have not ended it: what ends it now is the upstream. */
  isIdle: boolean;
  idleSince: number;
  /** How long it had been idle when it was lent last. */
  idleMs: number;
  /** Lent for an upload that its sender has still to bring. */
  isPaced: boolean;
  /** Set by whoever it is lent to, while that one waits for its client. */
  stalled: ClientPace | null;
  /** Whether the operating system has taken everything that was written to the socket. */
  hasSentAll(): boolean;
}

/** Below the 5 s after which Node closes idle connections, the shortest of the common defaults that is not announced. */
const KEEP_ALIVE_MS = 4_000;
/** Answers with larger heads are refused with 502; nginx stops at 8 KB by default, Node's own client at 16. */
const MAX_ANSWER_HEAD_BYTES = 65_536;
export interface UpstreamConnectionOptions {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly connectTimeoutMs: number;
  /** The upstream closed the connection while it was idle, after so long. */
  readonly onIdleEnd: (idleMs: number) => void;
}

/** Opens nothing yet: undici does when the first request comes. */
export function openUpstreamConnection(options: UpstreamConnectionOptions): UpstreamConnection {
  const { origin, onIdleEnd } = options;
  const { hostname } = new URL(origin);
  const servername = isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? hostname : '';
  const connect = buildConnector({ timeout: options.connectTimeoutMs });
  let socket: Socket | null = null;
  const client = new Client(origin, {
    // The name of the upstream, whatever Host a client sends: undici would take the certificate's name from that.
    connect: (target, callback) =>
      connect({ ...target, servername }, (...[error, opened]) => {
        socket = opened;
        if (opened) callback(null, opened);
        else callback(error, null);
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
    hasSentAll: () => socket?.writableLength === 0,
  };
  client.on('connect', () => {
    connection.open = true;
    connection.served = 0;
  });
  client.on('disconnect', (_origin, _targets, error) => {
    connection.open = false;
    connection.served = 0;
    // undici's own word for a connection that it ended itself.
    if (connection.isIdle && error.code !== 'UND_ERR_INFO') onIdleEnd(idleMsOf(connection));
    connection.isIdle = false;
  });
  return connection;
}

export function idleMsOf({ idleSince }: UpstreamConnection): number {
  return performance.now() - idleSince;
}

/**
 * Learns when the upstream closes connections that are idle, so that requests which may not be sent twice avoid those.
 * Only what the upstream did to an idle connection may be reported here: a connection that we ended says nothing.
 */
interface ReusePolicy {
  /** The upstream closed a connection after it had been idle for so long. */
  closedAfter(idleMs: number): void;
  /** A connection was still open after it had been idle for so long. */
  openAfter(idleMs: number): void;
  /** A request was answered on a connection that had been idle for so long. */
  answeredAfter(idleMs: number): void;
  /** Whether the upstream is not likely to have closed a connection that was idle for so long. */
  mayReuse(idleMs: number): boolean;
}

/** Servers wait longer than this for the next request: one that closes earlier closes for another reason. */
const SHORTEST_IDLE_TIMEOUT_MS = 100;
/** How long an idle timeout is remembered. */
const REMEMBER_TIMEOUT_MS = 60_000;
/** After so long without a close right behind an answer, the next answer may be trusted again. */
const REMEMBER_PROMPT_CLOSE_MS = 1_000;
/** Of reused connections, one in so many may be closed right behind its answer. */
const TOLERATED_SHARE = 8;
const MAX_CREDIT = 64;

/**
 * Two habits are told apart. An idle timeout holds for every connection: half of it is safe, and one connection that is
 * open after twice that time refutes it. A close right behind an answer is a habit only where it happens often: one
 * request that has the upstream close its connection, or a restart, must not cost every other request a new one.
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
