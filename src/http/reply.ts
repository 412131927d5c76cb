import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ProblemError, problemDocument, problemHeaders } from './problem.ts';

/** An answer that fits in memory. */
export interface Reply {
  readonly status: number;
  /** Name and value in turn. Content-Length is added; it must not stand here. */
  readonly headers: readonly string[];
  /** Null: none, as with 204. */
  readonly body: string | null;
}

/** What of a body nobody wants is read all the same, so that the sender gets to read the answer. */
const DRAIN_LIMIT_BYTES = 262_144;
const DRAIN_TIMEOUT_MS = 2_000;

export function problemReply(problem: ProblemError, requestId: string): Reply {
  return {
    status: problem.status,
    headers: problemHeaders(problem),
    body: problemDocument(problem, requestId),
  };
}

/**
 * Writes an answer in one piece. When the request has not arrived whole, the connection is closed afterwards, but not
 * before the rest was read for a while: closing a socket with unread bytes resets it, and a reset can overtake the
 * answer (RFC 9112 section 9.6).
 */
export function sendReply(request: IncomingMessage, response: ServerResponse, reply: Reply): void {
  if (response.headersSent || response.destroyed) return;
  const { status, body } = reply;
  const headers = [...reply.headers];
  if (body !== null) headers.push('Content-Length', String(Buffer.byteLength(body)));
  const arrived = request.complete || hasNoBody(request);
  if (!arrived && !restIsSmall(request)) response.shouldKeepAlive = false;
  response.writeHead(status, headers);
  const content = request.method === 'HEAD' ? null : body;
  if (arrived) {
    if (content === null) response.end();
    else response.end(content);
    return;
  }
  if (content === null) response.flushHeaders();
  else response.write(content);
  if (waitsForContinue(request)) response.end();
  else {
    drain(request, (dry) => {
      if (dry) response.end();
      else response.destroy();
    });
  }
}

/** Node says `complete` of a request without a body only once its handler has returned. */
function hasNoBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] === undefined && (length === undefined || Number(length) === 0);
}

/** A body that says it is small will be read whole, and the connection can serve on. */
function restIsSmall(request: IncomingMessage): boolean {
  const length = request.headers['content-length'];
  return length !== undefined && Number(length) <= DRAIN_LIMIT_BYTES && !waitsForContinue(request);
}

/** The sender holds its body back until it is asked for, and nobody asked. */
function waitsForContinue(request: IncomingMessage): boolean {
  return request.headers.expect !== undefined && request.readableFlowing === null;
}

function drain(request: IncomingMessage, done: (dry: boolean) => void): void {
  if (request.complete || request.destroyed) {
    done(request.complete);
    return;
  }
  let left = DRAIN_LIMIT_BYTES;
  const finish = (dry: boolean) => {
    clearTimeout(timer);
    request.off('data', onData).off('end', onEnd).off('close', onEnd);
    // Bytes may still come until the socket is gone; nobody may keep them.
    request.resume();
    done(dry);
  };
  const onData = (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) finish(false);
  };
  const onEnd = () => finish(request.complete);
  const timer = setTimeout(finish, DRAIN_TIMEOUT_MS, false);
  request.on('data', onData).on('end', onEnd).on('close', onEnd);
  request.resume();
}
