import type { IncomingMessage } from 'node:http';
import { BodyPieces } from '../http/body-pieces.ts';
import { ProblemError } from '../http/problem.ts';
import { BodyAbortedError, type Pace } from '../http/read-body.ts';

/** Node overflows on longer timeouts. */
const MAX_TIMEOUT_MS = 2_147_483_647;

/**
 * The rest of a body that was read in part. The pieces that arrive while the last one is processed become one piece: a
 * body in chunks of one byte costs about as much as any other. Only the sender's time counts against the pace.
 * @throws {ProblemError} `request_timeout`.
 * @throws {BodyAbortedError} when the sender closed the connection.
 */
export async function* readRest(
  request: IncomingMessage,
  { timeoutMs, minBytesPerSecond }: Pace,
): AsyncGenerator<Buffer, void, void> {
  let receivedBytes = 0;
  let waitedMs = 0;
  for (;;) {
    const allowedMs = Math.max(timeoutMs, (receivedBytes / minBytesPerSecond) * 1_000);
    const since = performance.now();
    const piece = await nextPiece(request, Math.min(allowedMs - waitedMs, MAX_TIMEOUT_MS));
    if (piece === null) return;
    waitedMs += performance.now() - since;
    receivedBytes += piece.length;
    yield piece;
  }
}

/** Null at the end of the body. */
function nextPiece(request: IncomingMessage, timeoutMs: number): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      clearTimeout(timer);
      request.off('readable', onReadable).off('end', onEnd).off('close', onClose);
      act();
    };
    const onReadable = () => {
      const piece = readAll(request);
      if (piece !== null) settle(() => resolve(piece));
    };
    const onEnd = () => settle(() => resolve(null));
    const onClose = () =>
      settle(() => reject(new BodyAbortedError('The sender disconnected before the body was complete.')));
    const onTimeout = () =>
      settle(() => reject(new ProblemError('request_timeout', 'The body did not arrive in time.')));
    const timer = setTimeout(onTimeout, timeoutMs);
    if (request.readableEnded) onEnd();
    else if (request.destroyed) onClose();
    else request.on('readable', onReadable).on('end', onEnd).on('close', onClose);
  });
}

/** All bytes that have arrived; null without any. Since Node 26, one `read` returns one piece of them. */
function readAll(request: IncomingMessage): Buffer | null {
  const pieces = new BodyPieces();
  for (let piece = request.read(); piece !== null; piece = request.read()) pieces.add(piece);
  return pieces.isEmpty ? null : pieces.join();
}
