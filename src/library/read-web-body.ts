import { ProblemError } from '../http/problem.ts';
import { BodyAbortedError, type BodyLimits, tooLarge, watchPace } from '../http/read-body.ts';

/**
 * Reads a copy of a body that is a web stream, such as that of `Request.clone`. The original stays readable.
 * @throws {ProblemError} `payload_too_large` or `request_timeout`.
 * @throws {BodyAbortedError} when the sender disconnected.
 */
export async function readWebBody(copy: ReadableStream<Uint8Array>, limits: BodyLimits): Promise<Buffer> {
  const reader = copy.getReader();
  const pieces: Uint8Array[] = [];
  let size = 0;
  let isLate = false;
  // The promise of `cancel` waits until the original is cancelled too.
  const cancel = () => void reader.cancel().catch(() => {});
  const endWatch = watchPace(
    limits,
    () => size,
    () => {
      isLate = true;
      cancel();
    },
  );
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => {
        throw new BodyAbortedError('The sender disconnected before the body was complete.');
      });
      if (isLate) throw new ProblemError('request_timeout', 'The body did not arrive in time.');
      if (done) return Buffer.concat(pieces, size);
      pieces.push(value);
      size += value.length;
      if (size > limits.limitBytes) throw tooLarge(limits.limitBytes);
    }
  } finally {
    endWatch();
    cancel();
  }
}
