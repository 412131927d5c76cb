import type { IncomingMessage } from 'node:http';
import { ProblemError } from '../http/problem.ts';
import { BodyAbortedError, type BodyLimits, tooLarge, watchPace } from '../http/read-body.ts';

/**
 * Reads a complete request body and puts it back: a body parser or handler that comes later reads the same bytes. The
 * stream allows this until its `end` event, so the body is put back in the tick that reads the last piece. If a body is
 * too large or too slow, the part that was read is put back too.
 * @throws {ProblemError} `payload_too_large` or `request_timeout`.
 * @throws {BodyAbortedError} when the sender disconnected.
 */
export function peekBody(request: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let size = 0;
    const settle = () => {
      endWatch();
      request.off('readable', onReadable).off('end', onEnd).off('close', onClose).off('error', onClose);
      const bytes = Buffer.concat(pieces, size);
      if (size > 0 && !request.destroyed) {
        request.unshift(bytes);
        markUnread(request, size);
      }
      return bytes;
    };
    const fail = (error: Error) => {
      settle();
      reject(error);
    };
    const onReadable = () => {
      for (let piece = request.read(); piece !== null; piece = request.read()) {
        pieces.push(piece);
        size += piece.length;
        if (size > limits.limitBytes) {
          fail(tooLarge(limits.limitBytes));
          return;
        }
      }
      if (request.complete) resolve(settle());
    };
    const onEnd = () => resolve(settle());
    const onClose = () => fail(new BodyAbortedError('The sender disconnected before the body was complete.'));
    const endWatch = watchPace(
      limits,
      () => size,
      () => fail(new ProblemError('request_timeout', 'The body did not arrive in time.')),
    );
    request.on('end', onEnd).on('close', onClose).on('error', onClose).on('readable', onReadable);
    if (request.destroyed && !request.readableEnded) onClose();
  });
}

/**
 * Node remembers that bytes were read. Some readers, such as the reader of Hono, then refuse the body, although all
 * bytes are still in the stream.
 */
function markUnread(request: IncomingMessage, size: number): void {
  Object.defineProperty(request, 'readableDidRead', {
    configurable: true,
    get: () => request.readableEnded || request.readableLength < size,
  });
}
