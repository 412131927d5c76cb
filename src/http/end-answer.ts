import type { ServerResponse } from 'node:http';
import { runInTickBatch } from './event-loop.ts';

/** With its head, a text of this size stays within the 16 KB that libuv writes without allocating. */
const ONE_WRITE_BYTES = 12_288;

/**
 * Writes the last part of an answer. A short text is sent in one write with its head. Bytes would need a second buffer,
 * which is a quarter of the whole cost.
 * @param hasOthers whether other requests run, to share a batch of writes with.
 */
export function endAnswer(response: ServerResponse, last: Buffer | undefined, hasOthers: boolean): void {
  if (!last || last.length > ONE_WRITE_BYTES) {
    response.end(last);
    return;
  }
  const text = last.toString('latin1');
  if (hasOthers) runInTickBatch(() => endWithText(response, text, 'latin1'));
  else endWithText(response, text, 'latin1');
}

/**
 * Ends an answer with its only text, in one write with the head, which `writeHead` has made. `response.end(text)` writes
 * the text and then an empty text. Two buffers need `writev`, which takes more time than the write of one text. When all
 * bytes are written before `end`, it writes nothing more.
 */
export function endWithText(response: ServerResponse, text: string, encoding: 'latin1' | 'utf8'): void {
  const { socket, chunkedEncoding } = response;
  // An answer behind earlier ones on its connection has no socket yet. An answer in chunks has a last chunk of its own.
  if (socket === null || chunkedEncoding) {
    response.end(text, encoding);
    return;
  }
  socket.cork();
  response.write(text, encoding);
  socket.uncork();
  response.end();
}
