import { connect, type Socket } from 'node:net';

/** One byte each ten seconds: below every rate that a person's connection has. */
const EVERY_MS = 10_000;
const TICK_MS = 50;

const UPLOAD = 'Host: shop.internal\r\nContent-Type: application/x-www-form-urlencoded\r\n';
/** Beginnings of requests that never come to an end: a head, and bodies to a plain path and to a signup route. */
const BEGINNINGS = [
  'GET / HTTP/1.1\r\nHost: shop.internal\r\nX-Slow: ',
  `POST /comment HTTP/1.1\r\n${UPLOAD}Content-Length: 1000\r\n\r\na`,
  `POST /comment HTTP/1.1\r\n${UPLOAD}Content-Length: 1000000\r\n\r\na`,
  `POST /signup HTTP/1.1\r\n${UPLOAD}Content-Length: 1000\r\n\r\na`,
] as const;
/** Half of them drip their heads. */
const ORDER = [0, 1, 0, 2, 0, 3] as const;

export interface SlowSockets {
  /** Ended by the server and opened again so far. */
  reopened(): number;
  close(): void;
}

/**
 * Keeps that many connections open that send a byte each ten seconds, whatever the server does about them: one that it
 * ends is opened again.
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
  // A share in each tick: all at once would be a burst, which is not what they do.
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
