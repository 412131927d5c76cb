import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * - `pass`: forwards both ways.
 * - `silent`: connections stay open and nothing comes through any more; new ones are accepted and hear nothing.
 * - `half-open`: those that are open now stay silent for ever, new ones pass.
 * - `refuse`: ends what is open, and what comes at once.
 */
export type FaultMode = 'pass' | 'silent' | 'half-open' | 'refuse';

/** A TCP proxy that fails as networks do. */
export interface FaultProxy {
  readonly port: number;
  set(mode: FaultMode): void;
  /** Answers come so much later. */
  delay(ms: number): void;
  close(): Promise<void>;
}

export async function openFaultProxy(targetPort: number): Promise<FaultProxy> {
  let mode: FaultMode = 'pass';
  let delayMs = 0;
  const open = new Set<{ readonly sockets: readonly Socket[]; mute(): void }>();

  const server = createServer((client) => {
    client.on('error', () => client.destroy());
    if (mode === 'refuse') {
      client.destroy();
      return;
    }
    const target = connect(targetPort, '127.0.0.1');
    let isMuted = mode === 'silent';
    const forward = (to: Socket, afterMs: number) => (bytes: Buffer) => {
      if (isMuted || mode === 'silent') return;
      if (afterMs > 0) setTimeout(() => to.writable && to.write(bytes), afterMs);
      else to.write(bytes);
    };
    const pair = {
      sockets: [client, target],
      mute: () => {
        isMuted = true;
      },
    };
    open.add(pair);
    client.on('data', forward(target, 0));
    target.on('data', (bytes) => forward(client, delayMs)(bytes));
    for (const socket of pair.sockets) {
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        open.delete(pair);
        for (const other of pair.sockets) other.destroy();
      });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  const endAll = () => {
    for (const { sockets } of open) for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    set(next) {
      mode = next;
      if (next === 'half-open') for (const pair of open) pair.mute();
      if (next === 'refuse') endAll();
    },
    delay(ms) {
      delayMs = ms;
    },
    async close() {
      endAll();
      server.close();
      await once(server, 'close');
    },
  };
}
