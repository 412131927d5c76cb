import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const READERS = 8;
/** 64 KB every 10 ms are 6.5 MB a second: 100 MB take 15 s, a hundred times as long as over loopback. */
const PIECE_BYTES = 65_536;
const EVERY_MS = 10;

/**
 * Eight clients that request the same path and read slowly. `onTick` is called repeatedly during this time.
 * @returns the number of received bytes in total, with heads.
 */
export async function streamSlowly(port: number, path: string, onTick: () => void): Promise<number> {
  const sockets = Array.from({ length: READERS }, () => connect(port, '127.0.0.1'));
  const timer = setInterval(onTick, 100);
  try {
    const read = await Promise.all(sockets.map((socket) => readSlowly(socket, path)));
    return read.reduce((sum, bytes) => sum + bytes, 0);
  } finally {
    clearInterval(timer);
    for (const socket of sockets) socket.destroy();
  }
}

async function readSlowly(socket: Socket, path: string): Promise<number> {
  let bytes = 0;
  let allowance = 0;
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    allowance -= chunk.length;
    if (allowance <= 0) socket.pause();
  });
  const timer = setInterval(() => {
    allowance = Math.min(PIECE_BYTES, allowance + PIECE_BYTES);
    if (allowance > 0) socket.resume();
  }, EVERY_MS);
  try {
    await once(socket, 'connect');
    socket.write(`GET ${path} HTTP/1.1\r\nHost: shop.internal\r\nConnection: close\r\n\r\n`);
    await once(socket, 'end');
    return bytes;
  } finally {
    clearInterval(timer);
  }
}
