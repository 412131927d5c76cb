import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ProblemCode, type ProblemError, problemDocument, problemHeaders } from './problem.ts';

/** An answer that fits in memory. */
export interface Reply {
  readonly status: number;
  /** Name and value in turn. Content-Length is added; it must not stand here. */
  readonly headers: readonly string[];
  /** Null: none, as with 204. */
  readonly body: string | null;
  /** Ends the connection: whoever sends too much, or too slowly, would go on. */
  readonly close?: boolean;
}

const CLOSING: ReadonlySet<ProblemCode> = new Set(['payload_too_large', 'request_timeout']);

/** How much of a body nobody asked for is read, and for how long. */
interface DrainLimits {
  readonly bytes: number;
  readonly timeoutMs: number;
}
/** Before the answer: what comes with the head, or right behind it. Broken framing shows here and is answered as such. */
const BEFORE_ANSWER: DrainLimits = { bytes: 65_536, timeoutMs: 100 };
/** After it: as long as a sender takes to notice that it was answered. */
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
 * Writes an answer in one piece. When the request has not arrived whole, a small rest is read first and the connection
 * serves on; else it is closed, but only after some more was read: closing a socket with unread bytes resets it, and a
 * reset can overtake the answer (RFC 9112 section 9.6).
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

/** All of the answer goes out at once; the connection ends when the rest of the request was read, or enough of it. */
function sendAhead(request: IncomingMessage, response: ServerResponse, reply: Reply): void {
  if (response.headersSent || response.destroyed) return;
  response.shouldKeepAlive = false;
  const content = writeHead(response, reply);
  if (content === null) response.flushHeaders();
  else response.write(content);
  drainRequest(request, () => response.end());
}

/** Returns what has to follow. */
function writeHead(response: ServerResponse, { status, headers, body, close }: Reply): string | null {
  if (close) response.shouldKeepAlive = false;
  if (body === null) response.writeHead(status, [...headers]);
  else response.writeHead(status, [...headers, 'Content-Length', String(Buffer.byteLength(body))]);
  return response.req.method === 'HEAD' ? null : body;
}

/** Node says `complete` of a request without a body only once its handler has returned. */
function hasNoBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] === undefined && (length === undefined || Number(length) === 0);
}

/** The sender holds its body back until it is asked for, and nobody asked. */
function waitsForContinue(request: IncomingMessage): boolean {
  return request.headers.expect !== undefined && request.readableFlowing === null;
}

/** Reads what is left of a request that was answered before it was whole, or enough of it. `done` is called once. */
export function drainRequest(request: IncomingMessage, done: () => void): void {
  drain(request, AFTER_ANSWER, done);
}

/** Reads and forgets what is left of a body. `dry`: that was all of it. */
function drain(request: IncomingMessage, limits: DrainLimits, done: (dry: boolean) => void): void {
  if (request.complete || request.destroyed) {
    done(request.complete);
    return;
  }
  let left = limits.bytes;
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
  const timer = setTimeout(finish, limits.timeoutMs, false);
  request.on('data', onData).on('end', onEnd).on('close', onEnd);
  request.resume();
}
