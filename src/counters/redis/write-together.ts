import type { Writable } from 'node:stream';

/**
 * Collects all writes to a stream until the current tick of the event loop ends. Each separate write is a system call,
 * which costs more than all other work on a command.
 *
 * @param current The stream of the connection, null before it is connected. Each new connection has a new stream.
 * @returns the function to call before a write.
 */
export function createWriteTogether(current: () => Writable | null): () => void {
  let collecting: Writable | null = null;
  return () => {
    const stream = current();
    if (stream === null || stream === collecting) return;
    collecting = stream;
    stream.cork();
    process.nextTick(() => {
      if (collecting === stream) collecting = null;
      stream.uncork();
    });
  };
}
