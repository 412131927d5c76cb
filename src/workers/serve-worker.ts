import type { Socket } from 'node:net';
import { type DoorName, type GatekeeperProcess, startGatekeeper } from '../gatekeeper.ts';
import { createLogger } from '../telemetry/logger.ts';
import type { ParentCalls, StartOrder, WorkerCalls } from './calls.ts';
import { type IpcEnd, openChannel } from './channel.ts';
import { createRemoteQueue } from './remote-queue.ts';
import { BUSY_TIMEOUT_MS } from './storage-waits.ts';

const PROMETHEUS = 'text/plain; version=0.0.4; charset=utf-8';

/** Does what the parent asks: opens all parts once, then serves the connections that it sends. */
export function serveAsWorker(parentEnd: IpcEnd): void {
  const admit = new Map<DoorName, (socket: Socket) => void>();
  let started: Promise<GatekeeperProcess> | null = null;
  let applyPrepared: (() => unknown) | null = null;

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
      // The client may have left on the way.
      if (socket) admit.get(door)?.(socket);
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
    stop: async () => (await running()).stop(),
  };
  const parent = openChannel<ParentCalls>(parentEnd, { ...answers });

  async function running(): Promise<GatekeeperProcess> {
    if (started === null) throw new Error('This worker was not started yet.');
    return await started;
  }

  function start({ config, configuration, secrets, ticketKeys, sendsDecisions }: StartOrder) {
    const write = createRemoteQueue((group) => parent.call('write', group));
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
