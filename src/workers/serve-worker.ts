import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { DoorName, GatekeeperProcess } from '../gatekeeper/gatekeeper.ts';
import { startGatekeeper } from '../gatekeeper/start-gatekeeper.ts';
import { createLogger } from '../telemetry/logger.ts';
import type { ParentCalls, StartOrder, WorkerCalls } from './calls.ts';
import { type IpcEnd, openChannel } from './channel.ts';
import { createRemoteQueue } from './remote-queue.ts';

const PROMETHEUS = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * A stop closes idle connections. The first request of a new connection may still be on its way, so the stop waits for
 * this long.
 */
const LAST_REQUEST_MS = 50;

/** Does what the parent requests: opens all parts once, then serves the connections that the parent sends. */
export function serveAsWorker(parentEnd: IpcEnd): void {
  const admit = new Map<DoorName, (socket: Socket) => void>();
  let started: Promise<GatekeeperProcess> | null = null;
  let applyPrepared: (() => unknown) | null = null;
  const closed = reportClosed((connections) => parent.call('closed', connections));

  const answers: WorkerCalls = {
    async start(order) {
      started = start(order);
      const { apiUrl, gate, dashboardUrl, isDashboardOpen } = await started;
      return {
        apiUrl,
        dashboardUrl,
        isDashboardOpen,
        gate: gate && { url: gate.url, assertionSecretFile: gate.assertionSecretFile },
      };
    },
    connection(door, socket) {
      // When this process dies before its answer is sent, another worker receives the connection. So this process must
      // not read from the connection before: the request would be lost. The client may have disconnected in the
      // meantime.
      return () => {
        if (!socket) return closed();
        socket.once('close', closed);
        admit.get(door)?.(socket);
      };
    },
    async prepare({ config, waiting }) {
      applyPrepared = null;
      applyPrepared = await (await running()).prepare(config, waiting);
    },
    apply() {
      applyPrepared?.();
      applyPrepared = null;
    },
    refuse: async (because) => (await running()).refuseConfiguration(because),
    measure: async () => (await running()).measure(),
    ping() {},
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
    if (started === null) throw new Error('This worker has not started yet.');
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
        secrets,
        configuration,
        ticketKeys: Buffer.from(ticketKeys),
        storage: { startQueue: sendsDecisions ? write : undefined },
        acceptAt: (door) => async (listen, serve) => {
          admit.set(door, serve);
          return await parent.call('listen', { door, listen });
        },
        exposition: { contentType: PROMETHEUS, render: () => parent.call('render', null) },
      },
    });
  }
}

/** Many connections can end at the same time, so they are reported together. */
const REPORT_AFTER_MS = 50;

/** @returns a function to call for each connection that ended. */
function reportClosed(report: (connections: number) => Promise<void>): () => void {
  let connections = 0;
  return () => {
    if (connections++ > 0) return;
    setTimeout(() => {
      // The call fails when the parent has ended.
      report(connections).catch(() => {});
      connections = 0;
    }, REPORT_AFTER_MS).unref();
  };
}
