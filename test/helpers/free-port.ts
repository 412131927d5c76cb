import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the ports that the system gives to a listener on port 0 and to outgoing connections (32,768 and above): no other
 * test gets the port by chance before the program listens. A Redis cluster also needs the port 10,000 above, so the
 * upper end leaves room for it.
 */
const LOWEST = 10_240;
const HIGHEST = 20_239;

/** On the loopback address; nothing ever listens there, and no port 0 leads to it. */
export const CLOSED_PORT = 1;

const given = new Set<number>();

/** For a program that cannot tell which port it got. No port is given twice in this process. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST + 1);
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
