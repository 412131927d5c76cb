import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { BodyPieces } from '../../http/body-pieces.ts';
import { ProblemError } from '../../http/problem.ts';
import { BodyAbortedError, type Pace, watchPace } from '../../http/read-body.ts';
import type { BodyBudget } from '../budgets.ts';
import type { ClientPace } from './client-pace.ts';
import { SMALL_UPLOAD_BYTES, UPLOAD_BUFFER_BYTES, type UploadBuffers } from './upload-buffers.ts';

export interface UploadLimits extends Pace {
  /** The memory for bodies that are read first. Without room, they are streamed. */
  readonly budget: BodyBudget;
  readonly buffers: UploadBuffers;
}

/** The body to send: none, the whole body, its beginning with the rest to follow, or another source. */
export type UploadBody = Buffer | Readable | null;

/** The result of waiting for a body. */
export interface OpenedUpload {
  readonly body: UploadBody;
  /** The whole body, or the first bytes of a streamed one. */
  readonly first: Buffer | null;
  /** Releases the memory of the body. The caller calls it when no reader is left, or never. */
  readonly release: (() => void) | null;
}

/** The buffer for an upload that its upstream does not accept yet: two reads. */
const BUFFERED_BYTES = 131_072;

/**
 * Waits for the body, or for the first bytes of a large one, before it acquires an upstream connection: so a slow
 * sender occupies no connection, and no connection becomes stale during the wait. A body of up to `UPLOAD_BUFFER_BYTES`
 * is sent in one piece: a stream costs more than joining two reads. Sends `100 Continue` when the sender expects it.
 * @param done called once. An error means that the body was late, or the sender disconnected.
 */
export function openUpload(
  request: IncomingMessage,
  response: ServerResponse,
  limits: UploadLimits,
  done: (upload: OpenedUpload | ProblemError | BodyAbortedError) => void,
): void {
  const declared = request.headers['content-length'];
  if (declared === undefined ? request.headers['transfer-encoding'] === undefined : Number(declared) === 0) {
    done(NO_BODY);
    return;
  }
  // A disconnected client reserves no memory: the end of the answer, which releases it, is over already.
  if (request.destroyed) {
    done(senderGone());
    return;
  }
  const settle = (upload: OpenedUpload | ProblemError | BodyAbortedError) => {
    endWatch?.();
    request.off('data', onData).off('end', onEnd).off('close', onClose);
    done(upload);
  };
  const lengthBytes = Number(declared ?? Number.POSITIVE_INFINITY);
  const isSmall = lengthBytes <= SMALL_UPLOAD_BYTES;
  // A buffer takes its whole size, even for a short body.
  const reservedBytes = isSmall ? lengthBytes : UPLOAD_BUFFER_BYTES;
  const room = lengthBytes <= UPLOAD_BUFFER_BYTES ? limits.budget.reserve(reservedBytes) : null;
  const pieces = new BodyPieces();
  if (room) response.once('close', room);
  let buffer: Buffer | null = null;
  let receivedBytes = 0;
  let endWatch: (() => void) | null = null;
  const onData = (chunk: Buffer) => {
    const from = receivedBytes;
    receivedBytes += chunk.length;
    if (receivedBytes === chunk.length && chunk.length === lengthBytes) {
      settle({ body: chunk, first: chunk, release: null });
    } else if (room && isSmall) {
      pieces.add(chunk);
      if (receivedBytes < lengthBytes) return;
      const body = pieces.join();
      settle({ body, first: body, release: null });
    } else if (room) {
      buffer ??= limits.buffers.acquire();
      chunk.copy(buffer, from);
      if (receivedBytes < lengthBytes) return;
      const whole = buffer;
      const body = whole.subarray(0, lengthBytes);
      settle({ body, first: body, release: () => limits.buffers.release(whole) });
    } else {
      settle({ body: new Upload(request, chunk, limits), first: chunk, release: null });
    }
  };
  const onEnd = () => settle(NO_BODY);
  const fail = (error: ProblemError | BodyAbortedError) => {
    if (buffer) limits.buffers.release(buffer);
    settle(error);
  };
  const onClose = () => fail(senderGone());
  endWatch = watchPace(
    limits,
    () => receivedBytes,
    () => fail(tooSlow()),
  );
  request.on('data', onData).on('end', onEnd).on('close', onClose);
  if (request.headers.expect !== undefined && request.httpVersionMinor === 1) response.writeContinue();
}

const NO_BODY: OpenedUpload = { body: null, first: null, release: null };

/**
 * A body on its way through the gate. To destroy it does not affect the request: other code reads or aborts the rest.
 * It forwards one piece in each tick of the event loop, so the answer of an upstream that refuses the upload is read
 * between two pieces.
 */
export class Upload extends Readable implements ClientPace {
  readonly #request: IncomingMessage;
  readonly #limits: UploadLimits;
  readonly #arrived = new BodyPieces();
  #arrivedBytes = 0;
  #missingBytes: number;
  #ended = false;
  #wanted = false;
  #turn: NodeJS.Immediate | null = null;
  readonly #timer: NodeJS.Timeout;
  readonly #begunAt = performance.now();
  #receivedBytes: number;
  /** The bytes since the last pace check. */
  #movedBytes: number;
  /** Whether the upstream has refused ready bytes since that check. Then the sender is not the slow side. */
  #stalled = false;

  constructor(request: IncomingMessage, first: Buffer, limits: UploadLimits) {
    super({ highWaterMark: 1 });
    this.#request = request;
    this.#limits = limits;
    this.#movedBytes = first.length;
    this.#receivedBytes = first.length;
    this.#missingBytes = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY) - first.length;
    this.#timer = setInterval(this.#checkPace, limits.timeoutMs);
    this.push(first);
    request.on('data', this.#onData).on('end', this.#onEnd).on('close', this.#onClose);
    // The stream may fail before an upstream connection is free. The later reader sees that the stream is destroyed.
    this.on('error', () => {});
  }

  behindMs(): number {
    if (this.#ended || this.#arrivedBytes > 0) return 0;
    const dueMs = (this.#receivedBytes / this.#limits.minBytesPerSecond) * 1_000;
    return performance.now() - this.#begunAt - dueMs;
  }

  giveUp(): void {
    this.destroy(tooSlow());
  }

  override _read(): void {
    this.#wanted = true;
    this.#schedule();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    clearInterval(this.#timer);
    if (this.#turn) clearImmediate(this.#turn);
    this.#arrived.clear();
    this.#request.off('data', this.#onData).off('end', this.#onEnd).off('close', this.#onClose);
    callback(error);
  }

  readonly #onData = (chunk: Buffer) => {
    this.#movedBytes += chunk.length;
    this.#receivedBytes += chunk.length;
    this.#missingBytes -= chunk.length;
    this.#arrivedBytes += chunk.length;
    this.#arrived.add(chunk);
    // The end goes with the last piece: otherwise undici would still be writing when an upstream answers in between.
    if (this.#missingBytes === 0) this.#ended = true;
    this.#schedule();
    if (this.#arrivedBytes < BUFFERED_BYTES) return;
    this.#stalled = true;
    this.#request.pause();
  };

  #schedule(): void {
    if (this.#wanted && (!this.#arrived.isEmpty || this.#ended)) this.#turn ??= setImmediate(this.#passOn);
  }

  readonly #passOn = () => {
    this.#turn = null;
    this.#wanted = false;
    const chunk = this.#arrived.shift();
    if (chunk !== undefined) {
      this.#arrivedBytes -= chunk.length;
      if (this.#request.isPaused() && this.#arrivedBytes < BUFFERED_BYTES) this.#request.resume();
      this.push(chunk);
    }
    if (this.#ended && this.#arrived.isEmpty) this.push(null);
  };

  readonly #onEnd = () => {
    clearInterval(this.#timer);
    if (this.#ended) return;
    this.#ended = true;
    this.#schedule();
  };

  readonly #onClose = () => {
    if (this.#request.complete) return;
    this.destroy(senderGone());
  };

  readonly #checkPace = () => {
    const { timeoutMs, minBytesPerSecond } = this.#limits;
    const isSlow = this.#movedBytes < (timeoutMs / 1_000) * minBytesPerSecond;
    if (isSlow && !this.#stalled) this.destroy(tooSlow());
    this.#movedBytes = 0;
    this.#stalled = this.#request.isPaused();
  };
}

function senderGone(): BodyAbortedError {
  return new BodyAbortedError('The sender disconnected before the body was complete.');
}

function tooSlow(): ProblemError {
  return new ProblemError('request_timeout', 'The body did not arrive in time.');
}
