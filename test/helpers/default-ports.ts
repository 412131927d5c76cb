import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Of the API and the dashboard, where no configuration names others. */
const DEFAULT_PORTS = [8080, 8081];
const WAIT_MS = 60_000;
const TRY_AGAIN_MS = 250;

/**
 * For suites that start `gatekeeper` without a configuration, as a first user does: they cannot choose a port. Waits
 * for another run of the same suite, and says what to stop when the ports stay taken.
 */
export async function untilDefaultPortsAreFree(): Promise<void> {
  for (let waitedMs = 0; waitedMs < WAIT_MS; waitedMs += TRY_AGAIN_MS) {
    const free = await Promise.all(DEFAULT_PORTS.map(isFree));
    if (free.every(Boolean)) return;
    await sleep(TRY_AGAIN_MS);
  }
  throw new Error(`This suite needs the ports ${DEFAULT_PORTS.join(' and ')}: stop what listens there.`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
