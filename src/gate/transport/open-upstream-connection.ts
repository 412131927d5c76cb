import { isIP, type Socket } from 'node:net';
import { buildConnector, Client } from 'undici';
import type { UpstreamConnection, UpstreamConnectionOptions } from './upstream-connection.ts';
import { asOrdinaryError } from './upstream-problem.ts';

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
        if (!opened) return callback(error && asOrdinaryError(error), null);
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

type Done = (error?: Error | null) => void;

/**
 * Makes a reset by the app end the socket like this: first everything is read that the app has sent before it, and then the
 * socket fails.
 *
 * - An app that refuses an upload answers, closes and resets. When a write meets the reset, Node would destroy the
 *   socket, and the unread answer with it (RFC 9112 section 9.5). So such a write never returns.
 * - When bytes were unread, Node 20 and 22 report the end of the reading in place of the reset. Then an answer without a
 *   length would seem complete. An empty write tells them apart.
 */
export function readUpToReset(socket: Socket): void {
  const write = socket._write.bind(socket);
  const writev = socket._writev?.bind(socket);
  const push = socket.push.bind(socket);
  // Over TLS, the end of the answer is in the stream itself.
  const isPlain = !('encrypted' in socket);
  let isReset = false;
  const unlessReset = (done: Done) => (error?: NodeJS.ErrnoException | null) => {
    isReset ||= error?.code === 'ECONNRESET';
    if (error?.code !== 'ECONNRESET' && error?.code !== 'EPIPE') done(error);
  };
  socket._write = (chunk, encoding, done) => write(chunk, encoding, unlessReset(done));
  if (writev) socket._writev = (chunks, done) => writev(chunks, unlessReset(done));
  socket.push = (chunk, encoding) => {
    if (chunk === null && isPlain) write('', 'latin1', unlessReset(ignore));
    if (chunk !== null || !isReset) return push(chunk, encoding);
    socket.destroy(
      Object.assign(new Error('The application reset the connection.'), { code: CONNECTION_END }),
    );
    return false;
  };
  socket.once('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNRESET') error.code = CONNECTION_END;
  });
}

/**
 * With the code of its own errors, undici treats a reset like any other end. Without it, a reset completes an answer that
 * has no length, and fails a request that was not written yet, instead of writing it to the next socket.
 */
const CONNECTION_END = 'UND_ERR_SOCKET';

function ignore(): void {}

const INTERIM = Buffer.from('HTTP/1.1 1');
const CONTINUE = Buffer.from('HTTP/1.1 100');
const HEAD_END = Buffer.from('\r\n\r\n');
const EMPTY = Buffer.alloc(0);
/** A longer head is left to undici, which refuses it. */
const MAX_HEAD_BYTES = 8_192;

/**
 * Drops `100 Continue` answers before the final answer. An app may send them unasked (RFC 9110 section 15.2), but undici
 * 7.30 ends the connection at the first one. Other interim answers stay.
 *
 * Only the first bytes after a request are inspected: everything later is part of its answer.
 * @param written The number of requests that were written to the socket. One request at a time is open.
 */
function dropUnaskedContinue(socket: Socket, written: () => number): void {
  const read = socket.read.bind(socket);
  let answered = 0;
  let held: Buffer = EMPTY;
  socket.read = (size?: number) => {
    const chunk: Buffer | null = read(size);
    if (chunk === null || answered === written()) return chunk;
    const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    held = EMPTY;
    const kept: Buffer[] = [];
    let rest: Buffer = bytes;
    while (beginsAs(rest, INTERIM)) {
      const end = rest.indexOf(HEAD_END);
      if (end === -1) {
        if (rest.length > MAX_HEAD_BYTES) break;
        held = rest;
        return Buffer.concat(kept);
      }
      const next = end + HEAD_END.length;
      if (!beginsAs(rest, CONTINUE)) kept.push(rest.subarray(0, next));
      rest = rest.subarray(next);
    }
    if (rest.length > 0) answered = written();
    return kept.length === 0 ? rest : Buffer.concat([...kept, rest]);
  };
}

/** Of shorter bytes, whether they may become such a start. */
function beginsAs(bytes: Buffer, start: Buffer): boolean {
  const length = Math.min(bytes.length, start.length);
  return bytes.compare(start, 0, length, 0, length) === 0;
}
