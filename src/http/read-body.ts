import type { IncomingMessage, ServerResponse } from 'node:http';
import { BodyPieces } from './body-pieces.ts';
import { runInTurn } from './event-loop.ts';
import { ProblemError } from './problem.ts';
import { peerAddress } from './proxy-protocol.ts';

export interface BodyLimits extends Pace {
  readonly limitBytes: number;
  /** Names the sender, who takes turns with others when many bodies wait. Left out: the address of the connection. */
  readonly senderOf?: () => string;
}

/** The sender disconnected before the body was complete, so there is no client to answer. */
export class BodyAbortedError extends Error {
  override readonly name = 'BodyAbortedError';
}

const NOTHING = Buffer.alloc(0);
/** Units of `runInTurn`: what the smallest body leads to, and the bytes that are read in the time of one more. */
const UNITS_TO_BEGIN = 3;
const BYTES_PER_UNIT = 4_096;

/**
 * A whole body, or its first part up to the limit. After a first part, the request is paused and the caller reads the
 * rest.
 */
export interface BodyStart {
  readonly bytes: Buffer;
  readonly isWhole: boolean;
}

/**
 * Reads a complete request body. It keeps at most as many bytes as the limit. Costs about 7 µs; koa-bodyparser, which
 * also decodes and negotiates, costs 34 µs. Sends `100 Continue` when the sender expects it. Bodies that arrive in one
 * tick are delivered in one batch, or in several when there are many.
 * @throws {ProblemError} `payload_too_large` or `request_timeout`; the caller should close the connection with the
 * answer.
 * @throws {BodyAbortedError} when the sender disconnected.
 */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  limits: BodyLimits,
): Promise<Buffer> {
  const declared = request.headers['content-length'];
  if (declared !== undefined && Number(declared) > limits.limitBytes) throw tooLarge(limits.limitBytes);
  const { bytes, isWhole } = await readBodyStart(request, response, limits);
  if (!isWhole) throw tooLarge(limits.limitBytes);
  return bytes;
}

/**
 * Like `readBody`, but returns the first part of a larger body: as many bytes as the limit and up to one more piece.
 * @throws {ProblemError} `request_timeout`.
 * @throws {BodyAbortedError} when the sender disconnected.
 */
export function readBodyStart(
  request: IncomingMessage,
  response: ServerResponse,
  limits: BodyLimits,
): Promise<BodyStart> {
  const declared = request.headers['content-length'];
  if (declared === undefined && request.headers['transfer-encoding'] === undefined) {
    return Promise.resolve({ bytes: NOTHING, isWhole: true });
  }
  return new Promise((resolve, reject) => {
    let first: Buffer | null = null;
    let more: BodyPieces | null = null;
    let size = 0;
    let settled = false;
    let endWatch: (() => void) | null = null;

    // The listeners stay after a complete body: they are not called again, and removing them costs a microsecond.
    const settle = () => {
      settled = true;
      endWatch?.();
    };
    const fail = (error: Error) => {
      settle();
      request.off('data', onData);
      reject(error);
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (first === null) {
        first = chunk;
      } else {
        more ??= piecesFrom(first);
        more.add(chunk);
      }
      if (size <= limits.limitBytes) return;
      request.pause();
      settle();
      request.off('data', onData).off('end', onEnd).off('close', onClose);
      resolve({ bytes: read(), isWhole: false });
    };
    const read = () => more?.join() ?? first ?? NOTHING;
    const onEnd = () => {
      if (settled) return;
      settle();
      const bytes = read();
      runInTurn(
        () => resolve({ bytes, isWhole: true }),
        limits.senderOf ?? (() => peerAddress(request.socket)),
        UNITS_TO_BEGIN + Math.ceil(bytes.length / BYTES_PER_UNIT),
      );
    };
    const onClose = () => {
      if (!settled) fail(new BodyAbortedError('The sender disconnected before the body was complete.'));
    };

    if (request.destroyed) {
      onClose();
      return;
    }
    endWatch = watchPace(
      limits,
      () => size,
      () => {
        request.pause();
        fail(new ProblemError('request_timeout', 'The body did not arrive in time.'));
      },
    );
    request.on('data', onData);
    request.on('end', onEnd);
    request.on('close', onClose);
    if (request.headers.expect !== undefined && request.httpVersionMinor === 1) response.writeContinue();
  });
}

function piecesFrom(first: Buffer): BodyPieces {
  const pieces = new BodyPieces();
  pieces.add(first);
  return pieces;
}

/** The error for a body above its limit. */
export function tooLarge(limitBytes: number): ProblemError {
  return new ProblemError('payload_too_large', `The body may have at most ${limitBytes} bytes.`);
}

export interface Pace {
  /** The time for a whole body. After this time it must arrive at `minBytesPerSecond`. */
  readonly timeoutMs: number;
  readonly minBytesPerSecond: number;
}

const CHECK_EVERY_MS = 1_000;

/**
 * Watches the pace of an arriving body. After the timeout, and then each second, the received bytes must match the minimum pace.
 * After a pause of the whole process, timers run before sockets are read, so each check waits until they were read.
 * @param tooSlow called once.
 * @returns a function that stops watching.
 */
export function watchPace(pace: Pace, receivedBytes: () => number, tooSlow: () => void): () => void {
  const { timeoutMs, minBytesPerSecond } = pace;
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;

  const check = (elapsedMs: number) => {
    if (isOver) return;
    if (elapsedMs >= timeoutMs && receivedBytes() < (elapsedMs / 1_000) * minBytesPerSecond) {
      isOver = true;
      tooSlow();
      return;
    }
    const waitMs = elapsedMs < timeoutMs ? timeoutMs - elapsedMs : CHECK_EVERY_MS;
    timer = setTimeout(() => void setImmediate(check, elapsedMs + waitMs), waitMs);
  };

  // Most bodies arrive in the same packet as their head and are complete before this runs, so they need no timer.
  setImmediate(check, 0);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
