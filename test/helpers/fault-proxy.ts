import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { type Direction, type FaultLink, linkSockets } from './fault-link.ts';

/**
 * - `pass`: forwards both directions.
 * - `silent`: connections stay open and no byte passes; new ones are accepted. After the fault every held byte arrives, as
 *   TCP sends it again.
 * - `half-open`: connections that are open now stay silent for ever; new ones pass.
 * - `refuse`: open connections are reset, and the port refuses new ones.
 */
export type FaultMode = 'pass' | 'silent' | 'half-open' | 'refuse';
/** A TCP proxy that fails as networks and servers do. */
export interface FaultProxy {
  /** Stays the same in every mode. */
  readonly port: number;
  set(mode: FaultMode): Promise<void>;
  /** Answers arrive so much later from now on. */
  delay(ms: number): void;
  /** Resets every open connection; new ones pass. */
  cut(): void;
  /**
   * Lets so many more bytes of one direction pass, counted over all connections. The connection of the next byte is reset
   * in its place, once; then bytes pass again. `cutAfter(0, 'answers')`: the backend does what was asked, and the client
   * does not learn it.
   */
  cutAfter(bytes: number, direction: Direction): void;
  /** New connections go to this port; open ones stay where they are. */
  switchTo(port: number): void;
  /** Open connections. */
  connections(): number;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';
const MAX_CONNECTIONS = 1_000;
/** Below the ports that the system gives out, so that no other program gets this one while it refuses. */
const FIRST_PORT = 20_000;
const LAST_PORT = 32_000;
const MAX_TRIES = 100;

export async function openFaultProxy(backendPort: number): Promise<FaultProxy> {
  let mode: FaultMode = 'pass';
  let backend = backendPort;
  let delayMs = 0;
  let cutting: { readonly direction: Direction; left: number } | null = null;
  const links = new Set<FaultLink>();

  /** How many of these bytes pass; the rest is lost with the connection. */
  function admit(direction: Direction, length: number): number {
    if (cutting?.direction !== direction) return length;
    const passing = Math.min(length, cutting.left);
    cutting.left -= passing;
    if (passing < length) cutting = null;
    return passing;
  }

  const server = createServer({ allowHalfOpen: true }, (client: Socket) => {
    const link = linkSockets({
      client,
      backend: connect({ port: backend, host: HOST, allowHalfOpen: true }),
      delayMs: () => delayMs,
      admit,
      onClosed: () => links.delete(link),
    });
    links.add(link);
    link.hold(mode === 'silent');
  });
  server.maxConnections = MAX_CONNECTIONS;
  const port = await listenSomewhere(server);

  const cut = () => {
    for (const link of links) link.reset();
  };
  async function stopListening(): Promise<void> {
    const closed = once(server, 'close');
    server.close();
    cut();
    await closed;
  }

  return {
    port,
    async set(next) {
      const before = mode;
      mode = next;
      if (next === 'half-open') for (const link of links) link.mute();
      for (const link of links) link.hold(next === 'silent');
      if (next === 'refuse' && before !== 'refuse') await stopListening();
      if (next !== 'refuse' && before === 'refuse') await listen(server, port);
    },
    delay(ms) {
      delayMs = ms;
    },
    cut,
    cutAfter(bytes, direction) {
      cutting = { direction, left: bytes };
    },
    switchTo(next) {
      backend = next;
    },
    connections: () => links.size,
    async close() {
      if (server.listening) await stopListening();
    },
  };
}

async function listenSomewhere(server: Server): Promise<number> {
  for (let tries = 1; ; tries++) {
    const port = FIRST_PORT + Math.floor(Math.random() * (LAST_PORT - FIRST_PORT));
    try {
      await listen(server, port);
      return port;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || tries === MAX_TRIES) throw error;
    }
  }
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, HOST);
  await once(server, 'listening');
}
