import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ProblemCode, type ProblemError, problemDocument, problemHeaders } from './problem.ts';

/** An answer that fits in memory. */
export interface Reply {
  readonly status: number;
  /** A flat list of header names and values (name, value, name, value, …). Content-Length is added later. */
  readonly headers: readonly string[];
  /** The body. Null when the answer has no body, as with 204. */
  readonly body: string | null;
  /** Ends the connection of a sender that sends too much or too slowly. */
  readonly close?: boolean;
}

const CLOSING: ReadonlySet<ProblemCode> = new Set(['payload_too_large', 'request_timeout']);

/** How much of an unread body is still read, and for how long. */
interface DrainLimits {
  readonly bytes: number;
  readonly timeoutMs: number;
}
/**
 * The limits before the answer, for bytes that arrive with the head or right after it. They show broken framing, which
 * gets a different answer.
 */
const BEFORE_ANSWER: DrainLimits = { bytes: 65_536, timeoutMs: 100 };
/**
 * The limits after the answer: about the time until a sender notices the answer. Many clients read only after they have
 * sent everything, and nginx sends a body that it has in one go: with less than a whole form of the largest default size
 * (`max_upload`), they get a reset in place of the answer.
 */
const AFTER_ANSWER: DrainLimits = { bytes: 33_554_432, timeoutMs: 2_000 };

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
 * For a larger rest, the connection is closed after a part of it was read. Closing a socket with unread bytes resets
 * the connection, and the reset can arrive before the answer (RFC 9112 section 9.6).
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

/** Writes the complete answer at once. The connection ends when enough of the request was read. */
function sendAhead(request: IncomingMessage, response: ServerResponse, reply: Reply): void {
  if (response.headersSent || response.destroyed) return;
  response.shouldKeepAlive = false;
  const content = writeHead(response, reply);
  if (content === null) response.flushHeaders();
  else response.write(content);
  drainRequest(request, () => response.end());
}

/** Writes the head. Returns the part of the answer that must follow. */
function writeHead(response: ServerResponse, { status, headers, body, close }: Reply): string | null {
  if (close) response.shouldKeepAlive = false;
  if (body === null) response.writeHead(status, [...headers]);
  else response.writeHead(status, [...headers, 'Content-Length', String(Buffer.byteLength(body))]);
  return response.req.method === 'HEAD' ? null : body;
}

/** For a request without a body, Node sets `complete` only after the handler has returned. */
function hasNoBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] === undefined && (length === undefined || Number(length) === 0);
}

/** The sender waits for `100 Continue` before it sends the body, and has not received it. */
function waitsForContinue(request: IncomingMessage): boolean {
  return request.headers.expect !== undefined && request.readableFlowing === null;
}

/** Reads the rest of a request that was answered early, or a large part of the rest. `done` is called once. */
export function drainRequest(request: IncomingMessage, done: () => void): void {
  drain(request, AFTER_ANSWER, done);
}

/** Reads and drops the rest of a body. `dry` means that the whole rest was read. */
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
