import { connect, type Socket } from 'node:net';

/** One byte every ten seconds: slower than any real connection. */
const EVERY_MS = 10_000;
const TICK_MS = 50;

const UPLOAD = 'Host: shop.internal\r\nContent-Type: application/x-www-form-urlencoded\r\n';
/** Incomplete requests: a head, and bodies to a plain path and to a signup route. */
const BEGINNINGS = [
  'GET / HTTP/1.1\r\nHost: shop.internal\r\nX-Slow: ',
  `POST /comment HTTP/1.1\r\n${UPLOAD}Content-Length: 1000\r\n\r\na`,
  `POST /comment HTTP/1.1\r\n${UPLOAD}Content-Length: 1000000\r\n\r\na`,
  `POST /signup HTTP/1.1\r\n${UPLOAD}Content-Length: 1000\r\n\r\na`,
] as const;
/** Half of them send their heads slowly. */
const ORDER = [0, 1, 0, 2, 0, 3] as const;

export interface SlowSockets {
  /** Connections that the server ended and that were opened again. */
  reopened(): number;
  close(): void;
}

/**
 * Keeps that many connections open that each send a byte every ten seconds. When the server ends one, it is opened
 * again.
 */
export async function openSlowSockets(port: number, count: number): Promise<SlowSockets> {
  const sockets: Socket[] = [];
  let reopened = 0;
  let isClosed = false;

  function open(index: number): Promise<void> {
    return new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.write(BEGINNINGS[ORDER[index % ORDER.length] ?? 0]);
        resolve();
      });
      sockets[index] = socket;
      socket.resume();
      socket.on('error', () => {});
      socket.on('close', () => {
        if (isClosed) return;
        reopened++;
        setTimeout(() => void (isClosed || open(index)), EVERY_MS / 10);
      });
    });
  }

  for (let index = 0; index < count; index += 100) {
    await Promise.all(Array.from({ length: Math.min(100, count - index) }, (_, i) => open(index + i)));
  }
  let next = 0;
  // A part in each tick: all at once would be a burst, and slow clients do not cause one.
  const timer = setInterval(() => {
    for (let share = (count * TICK_MS) / EVERY_MS; share > 0; share--) {
      const socket = sockets[next++ % count];
      if (socket?.writable) socket.write('a');
    }
  }, TICK_MS);
  return {
    reopened: () => reopened,
    close() {
      isClosed = true;
      clearInterval(timer);
      for (const socket of sockets) socket.destroy();
    },
  };
}
