import { isIP, type Socket } from 'node:net';
import { buildConnector, Client } from 'undici';
import type { UpstreamConnection, UpstreamConnectionOptions } from './upstream-connection.ts';

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

/**
 * When the certificate of the app is for another name, undici 7.30 fails the request but counts it as running, so the next
 * request would wait without an end. With OpenSSL's code in place of Node's, undici treats this error like any other.
 */
function asOrdinaryError(error: NodeJS.ErrnoException): Error {
  if (error.code === 'ERR_TLS_CERT_ALTNAME_INVALID') error.code = 'HOSTNAME_MISMATCH';
  return error;
}

export function idleMsOf({ idleSince }: UpstreamConnection): number {
  return performance.now() - idleSince;
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
