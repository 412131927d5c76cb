import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ProblemCode, type ProblemError, problemDocument, problemHeaders } from './problem.ts';

/** An answer that fits in memory. */
export interface Reply {
  readonly status: number;
  /** Name and value in turn, without Content-Length, which is added. */
  readonly headers: readonly string[];
  /** Null when there is no body, as with 204. */
  readonly body: string | null;
  /** Ends the connection of a sender that sends too much or too slowly. */
  readonly close?: boolean;
}

const CLOSING: ReadonlySet<ProblemCode> = new Set(['payload_too_large', 'request_timeout']);

/** How much of an unread body is read after all, and for how long. */
interface DrainLimits {
  readonly bytes: number;
  readonly timeoutMs: number;
}
/**
 * Before the answer: the bytes that arrive with the head or right after it. Broken framing shows here and gets its own
 * answer.
 */
const BEFORE_ANSWER: DrainLimits = { bytes: 65_536, timeoutMs: 100 };
/** After the answer: about the time until a sender notices the answer. */
const AFTER_ANSWER: DrainLimits = { bytes: 1_048_576, timeoutMs: 2_000 };

export function problemReply(problem: ProblemError, requestId: string): Reply {
  return {
    status: problem.status,
    headers: problemHeaders(problem),
    body: problemDocument(problem, requestId),
    close: CLOSING.has(problem.code),
  };
}

/**
 * Writes an answer in one piece. If the request is incomplete, a small rest is read first and the connection is reused.
 * A larger rest closes the connection, but only after more of it was read: closing a socket with unread bytes resets
 * it, and a reset can overtake the answer (RFC 9112 section 9.6).
 */
export function sendReply(request: IncomingMessage, response: ServerResponse, reply: Reply): void {
  if (request.complete || hasNoBody(request)) {
    sendWhole(response, reply);
  } else if (waitsForContinue(request)) {
    response.shouldKeepAlive = false;
    sendWhole(response, reply);
  } else {
    drain(request, BEFORE_ANSWER, (dry) => {
      if (dry) sendWhole(response, reply);
      else sendAhead(request, response, reply);
    });
  }
}

function sendWhole(response: ServerResponse, reply: Reply): void {
  if (response.headersSent || response.destroyed) return;
  const content = writeHead(response, reply);
  if (content === null) response.end();
  else response.end(content);
}

/** Writes the complete answer at once; the connection ends when enough of the request was read. */
function sendAhead(request: IncomingMessage, response: ServerResponse, reply: Reply): void {
  if (response.headersSent || response.destroyed) return;
  response.shouldKeepAlive = false;
  const content = writeHead(response, reply);
  if (content === null) response.flushHeaders();
  else response.write(content);
  drainRequest(request, () => response.end());
}

/** Returns the part of the answer that must follow. */
function writeHead(response: ServerResponse, { status, headers, body, close }: Reply): string | null {
  if (close) response.shouldKeepAlive = false;
  if (body === null) response.writeHead(status, [...headers]);
  else response.writeHead(status, [...headers, 'Content-Length', String(Buffer.byteLength(body))]);
  return response.req.method === 'HEAD' ? null : body;
}

/** Node sets `complete` for a request without a body only after its handler has returned. */
function hasNoBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] === undefined && (length === undefined || Number(length) === 0);
}

/** The sender waits for `100 Continue` before it sends the body, and did not get it. */
function waitsForContinue(request: IncomingMessage): boolean {
  return request.headers.expect !== undefined && request.readableFlowing === null;
}

/** Reads the rest of a request that was answered early, or enough of it. `done` is called once. */
export function drainRequest(request: IncomingMessage, done: () => void): void {
  drain(request, AFTER_ANSWER, done);
}

/** Reads and drops the rest of a body. `dry` means that the rest was complete. */
function drain(request: IncomingMessage, limits: DrainLimits, done: (dry: boolean) => void): void {
  if (request.complete || request.destroyed) {
    done(request.complete);
    return;
  }
  let left = limits.bytes;
  const finish = (dry: boolean) => {
    clearTimeout(timer);
    request.off('data', onData).off('end', onEnd).off('close', onEnd);
    // Bytes may arrive until the socket is closed: they are read and dropped.
    request.resume();
    done(dry);
  };
  const onData = (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) finish(false);
  };
  const onEnd = () => finish(request.complete);
  const timer = setTimeout(finish, limits.timeoutMs, false);
  request.on('data', onData).on('end', onEnd).on('close', onEnd);
  request.resume();
}
