import type { Socket } from 'node:net';

type Done = (error?: Error | null) => void;

/**
 * Makes a reset by the app end the socket like this: first everything is read that the app has sent before it, and then the
 * socket fails.
 *
 * - An app that refuses an upload answers, closes and resets. When a write meets the reset, Node would destroy the
 *   socket, and the unread answer with it (RFC 9112 section 9.5). So such a write never returns.
 * - When bytes were unread, Node 20 and 22 report the end of the reading in place of the reset. Then an answer without a
 *   length would seem complete. An empty write tells them apart.
 */
export function readUpToReset(socket: Socket): void {
  const write = socket._write.bind(socket);
  const writev = socket._writev?.bind(socket);
  const push = socket.push.bind(socket);
  // Over TLS, the end of the answer is in the stream itself.
  const isPlain = !('encrypted' in socket);
  let isReset = false;
  const unlessReset = (done: Done) => (error?: NodeJS.ErrnoException | null) => {
    isReset ||= error?.code === 'ECONNRESET';
    if (error?.code !== 'ECONNRESET' && error?.code !== 'EPIPE') done(error);
  };
  socket._write = (chunk, encoding, done) => write(chunk, encoding, unlessReset(done));
  if (writev) socket._writev = (chunks, done) => writev(chunks, unlessReset(done));
  socket.push = (chunk, encoding) => {
    if (chunk === null && isPlain) write('', 'latin1', unlessReset(ignore));
    if (chunk !== null || !isReset) return push(chunk, encoding);
    socket.destroy(
      Object.assign(new Error('The application reset the connection.'), { code: CONNECTION_END }),
    );
    return false;
  };
  socket.once('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNRESET') error.code = CONNECTION_END;
  });
}

/**
 * With the code of its own errors, undici treats a reset like any other end. Without it, a reset completes an answer that
 * has no length, and fails a request that was not written yet, instead of writing it to the next socket.
 */
const CONNECTION_END = 'UND_ERR_SOCKET';

function ignore(): void {}
