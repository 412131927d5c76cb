import type { Socket } from 'node:net';

type Done = (error?: Error | null) => void;

/**
 * An app that refuses an upload answers, closes and resets. When a write meets the reset, the answer may still be unread
 * (RFC 9112 section 9.5), but Node would destroy the socket and the answer with it. So the failed write is never
 * reported: what is left is read, and then the end of the reading ends the socket.
 */
export function readPastRefusedWrites(socket: Socket): void {
  const write = socket._write.bind(socket);
  const writev = socket._writev?.bind(socket);
  const unlessRefused = (done: Done) => (error?: NodeJS.ErrnoException | null) => {
    if (error?.code !== 'ECONNRESET' && error?.code !== 'EPIPE') done(error);
  };
  socket._write = (chunk, encoding, done) => write(chunk, encoding, unlessRefused(done));
  if (writev) socket._writev = (chunks, done) => writev(chunks, unlessRefused(done));
}
