import type { IncomingMessage, ServerResponse } from 'node:http';
import { runInTickBatch } from '../../http/event-loop.ts';

/** With its head, a text of this size stays within the 16 KB that libuv writes without allocating. */
const ONE_WRITE_BYTES = 12_288;

/**
 * Writes the last part of an answer. A short text is sent in one buffer with its head. Bytes would need a second buffer,
 * which is a quarter of the whole cost. So would `end(text)`, because it adds an empty text: uncorking sends the text first.
 * @param hasOthers whether other requests run, to share a batch of writes with.
 */
export function endAnswer(response: ServerResponse, last: Buffer | undefined, hasOthers: boolean): void {
  if (!last || last.length > ONE_WRITE_BYTES) {
    response.end(last);
    return;
  }
  const text = last.toString('latin1');
  const end = () => {
    response.write(text, 'latin1');
    // There is no socket yet while an earlier answer on the connection is not complete.
    response.socket?.uncork();
    response.end();
  };
  if (hasOthers) runInTickBatch(end);
  else end();
}

/**
 * Ends an answer whose rest will never arrive. An HTTP/1.0 client reads up to the end of the connection: after a clean end,
 * half an answer would seem complete.
 */
export function breakOffAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  hasKnownLength: boolean,
): void {
  const { socket } = response;
  const endIsFraming = request.httpVersionMinor === 0 && !hasKnownLength;
  if (endIsFraming && socket && !('encrypted' in socket)) socket.resetAndDestroy();
  else response.destroy();
}
