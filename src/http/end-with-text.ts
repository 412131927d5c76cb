import type { ServerResponse } from 'node:http';

/**
 * Ends an answer with its only text, in one write with the head. `response.end(text)` writes the text and then an empty
 * text. Two buffers need `writev`, which takes more time than the write of one text. When all bytes are written before
 * `end`, it writes nothing more.
 */
export function endWithText(response: ServerResponse, text: string, encoding: 'latin1' | 'utf8'): void {
  const { socket } = response;
  // An answer behind earlier ones on its connection has no socket yet.
  if (socket === null) {
    response.end(text, encoding);
    return;
  }
  socket.cork();
  response.write(text, encoding);
  socket.uncork();
  response.end();
}
