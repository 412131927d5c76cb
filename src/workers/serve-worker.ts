import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { DoorName, GatekeeperProcess } from '../gatekeeper/gatekeeper.ts';
import { startGatekeeper } from '../gatekeeper/start-gatekeeper.ts';
import { createLogger } from '../telemetry/logger.ts';
import type { ParentCalls, StartOrder, WorkerCalls } from './calls.ts';
import { type IpcEnd, openChannel } from './channel.ts';
import { createRemoteQueue } from './remote-queue.ts';
import { BUSY_TIMEOUT_MS } from './storage-waits.ts';

const PROMETHEUS = 'text/plain; version=0.0.4; charset=utf-8';

/** The request of a connection that arrived just before the end may be on its way. A stop closes idle connections. */
const LAST_REQUEST_MS = 50;

/** Does what the parent asks: opens all parts once, then serves the connections that it sends. */
export function serveAsWorker(parentEnd: IpcEnd): void {
  const admit = new Map<DoorName, (socket: Socket) => void>();
  let started: Promise<GatekeeperProcess> | null = null;
  let applyPrepared: (() => unknown) | null = null;
  const closed = reportClosed((connections) => parent.call('closed', connections));

  const answers: WorkerCalls = {
    async start(order) {
      started = start(order);
      const { apiUrl, gate, dashboardUrl } = await started;
      return {
        ...{ apiUrl, dashboardUrl },
        gate: gate && { url: gate.url, assertionSecretFile: gate.assertionSecretFile },
      };
    },
    connection(door, socket) {
      // When this process dies with the answer unsent, another one gets the connection. Nothing may have been read from it
      // by then: that request would never be answered. The client may have left on the way.
      return () => {
        if (!socket) return closed();
        socket.once('close', closed);
        admit.get(door)?.(socket);
      };
    },
    async prepare(config) {
      applyPrepared = null;
      applyPrepared = await (await running()).prepare(config);
    },
    apply() {
      applyPrepared?.();
      applyPrepared = null;
    },
    refuse: async (because) => (await running()).refuseConfiguration(because),
    measure: async () => (await running()).measure(),
    reopenLogs: async () => (await running()).reopenLogs(),
    drain: async () => (await running()).drain(),
    async stop() {
      const gatekeeper = await running();
      await delay(LAST_REQUEST_MS);
      await gatekeeper.stop();
    },
  };
  const parent = openChannel<ParentCalls>(parentEnd, { ...answers });

  async function running(): Promise<GatekeeperProcess> {
    if (started === null) throw new Error('This worker was not started yet.');
    return await started;
  }

  function start({ config, configuration, secrets, ticketKeys, sendsDecisions }: StartOrder) {
    const write = createRemoteQueue((group) => parent.call('write', JSON.stringify(group)));
    return startGatekeeper({
      config,
      log: createLogger({ ...config.log, isTerminal: process.stdout.isTTY === true }),
      clock: Date.now,
      makeFirstKey: false,
      worker: {
        ...{ secrets, configuration, ticketKeys: Buffer.from(ticketKeys) },
        storage: { startQueue: sendsDecisions ? write : undefined, busyTimeoutMs: BUSY_TIMEOUT_MS },
        acceptAt: (door) => async (listen, serve) => {
          admit.set(door, serve);
          return await parent.call('listen', { door, listen });
        },
        exposition: { contentType: PROMETHEUS, render: () => parent.call('render', null) },
      },
    });
  }
}

/** Many connections end at once: they are reported together. */
const REPORT_AFTER_MS = 50;

/** @returns to be called for each connection that ended. */
function reportClosed(report: (connections: number) => Promise<void>): () => void {
  let connections = 0;
  return () => {
    if (connections++ > 0) return;
    setTimeout(() => {
      // It fails when the parent has ended.
      report(connections).catch(() => {});
      connections = 0;
    }, REPORT_AFTER_MS).unref();
  };
}
