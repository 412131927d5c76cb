import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { takeFirstSteps } from '../accounts/first-steps.ts';
import { startBackgroundJobs } from '../background-jobs.ts';
import type { Config } from '../config/config.ts';
import { type ConfigurationStatus, planReload } from '../config/reload.ts';
import { DATASETS_FOLDER } from '../datasets/datasets-folder.ts';
import { isOld } from '../datasets/feed-age.ts';
import type { Gatekeeper, GatekeeperOptions } from '../gatekeeper/gatekeeper.ts';
import { openLagMonitor } from '../http/event-loop.ts';
import { createOpened, type Opened } from '../opened.ts';
import { openConfiguredSecrets } from '../secrets/configured-secrets.ts';
import { awaitStorage } from '../storage/await-storage.ts';
import type { ScoringWrite } from '../storage/decisions/scoring-ledger.ts';
import { createDatabaseClock } from '../storage/fleet/database-clock.ts';
import { openStorage, SERVING_BUSY_TIMEOUT_MS } from '../storage/open-storage.ts';
import type { Storage } from '../storage/storage.ts';
import { storageFolderOf } from '../storage/storage-folder.ts';
import { createExposition } from '../telemetry/exposition.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import type { ParentCalls, StartedWorker } from './calls.ts';
import { createFeedFetcher } from './feed-fetcher.ts';
import { createPoolMetrics } from './pool-metrics.ts';
import { describeError } from './sent-error.ts';
import { shareConfig } from './share-config.ts';
import { createSharedDoors } from './shared-doors.ts';
import { createWorkerPool, type Worker } from './worker-pool.ts';

/** Several processes that serve as if they were one. */
export interface GatekeeperWorkers extends Gatekeeper {
  /** Rejects when the workers die again and again. The caller stops the rest. */
  readonly givenUp: Promise<never>;
}

/** The keys in the form that `tls.Server.setTicketKeys` accepts. */
const TICKET_KEY_BYTES = 48;

/**
 * Starts `config.workers` processes with both doors and the dashboard. This process accepts their connections, writes
 * the decisions of all to SQLite, runs the background jobs and adds up the metrics.
 *
 * @throws the same errors as a start in one process, even when only one worker fails.
 */
export async function startWorkers(options: GatekeeperOptions): Promise<GatekeeperWorkers> {
  const opened = createOpened();
  try {
    return await openWorkers(options, opened);
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function openWorkers(
  { config, log, clock: ownClock, makeFirstKey, stop }: GatekeeperOptions,
  { keep, close }: Opened,
): Promise<GatekeeperWorkers> {
  stop?.throwIfAborted();
  const { url, isSqlite } = recordsOf(config);
  const time = createDatabaseClock(ownClock);
  const clock = time.now;
  const records = keep(
    await awaitStorage(() => openStorage({ url, clock, log, busyTimeoutMs: SERVING_BUSY_TIMEOUT_MS }), {
      log,
      stop,
    }),
  );
  if (records.fleet) keep(await time.follow(records.now));
  const secrets = await openConfiguredSecrets(config);
  const ticketKeys = randomBytes(TICKET_KEY_BYTES);
  const metrics = createMetrics();
  const feedsFolder = `${storageFolderOf(url)}/feeds`;
  const feeds = keep(
    createFeedFetcher({
      folder: DATASETS_FOLDER,
      feedsFolder,
      clock,
      log,
      ...(records.fleet && { feedCache: records.fleet.feedCopies, time: records.now }),
      fetches: () => jobs.fetchesFeeds(),
    }),
  );
  let current = config;
  let configuration: ConfigurationStatus = { waiting: [], refused: null };
  let giveUp: (error: Error) => void = () => {};
  const givenUp = new Promise<never>((_resolve, reject) => {
    giveUp = reject;
  });
  // The caller waits for this promise and for a signal.
  givenUp.catch(() => {});

  // Connections wait until all workers have started. Otherwise, the fastest worker would receive all connections that
  // stay open.
  let areAllReady = false;
  const doors = createSharedDoors(() => (areAllReady ? pool.ready() : []));
  const answers: Omit<ParentCalls, 'closed'> = {
    listen: ({ door, listen }) => doors.open(door, listen),
    write: (group) =>
      Promise.all((JSON.parse(group) as ScoringWrite[]).map((entry) => writeOne(records, entry))),
    render: () => poolMetrics.render(),
  };
  const pool = createWorkerPool({
    size: config.workers,
    answers,
    log,
    prepare: prepareWorker,
    onReady: doors.distribute,
    onEnd: (worker) => poolMetrics.ended(worker),
    onClosed: doors.closed,
    onGivenUp: giveUp,
  });
  const lag = keep(openLagMonitor({ maxLagMs: config.server.max_lag }));
  const exposition = createExposition({
    metrics,
    lagMs: lag.lagMs,
    clock,
    isOld,
    // A decision that waits here is counted by its worker, and each worker reports the state of its engines.
    recordsQueueLength: () => 0,
    engines: async () => ({ records: true, counters: true }),
    status: () => ({ datasets: [], seesUntrustedForwarding: false, certificateExpiresAt: null }),
    countersMemory: () => null,
    partitionsAhead: async () => null,
    jobs: () => jobs.jobs(),
    exports: () => jobs.exports(),
    // Each worker reports for itself.
    fleet: () => null,
  });
  const poolMetrics = createPoolMetrics({ workers: pool.ready, own: exposition.snapshot });
  keep({
    close: async (withinMs = config.server.drain_timeout) => {
      await doors.close(withinMs);
      await pool.stop(withinMs);
      poolMetrics.close();
    },
  });

  const jobs = await startBackgroundJobs({ records, config: () => current, metrics, clock, log, keep });
  (await feeds.prepare(config.datasets))();
  const onStop = () => void pool.stop(0);
  stop?.addEventListener('abort', onStop, { once: true });
  const [first] = await pool.start().catch((error: unknown) => {
    stop?.throwIfAborted();
    throw doors.failure ?? error;
  });
  stop?.removeEventListener('abort', onStop);
  stop?.throwIfAborted();
  areAllReady = true;
  doors.distribute();
  if (!first) throw new Error('There is no worker.');
  const firstSteps = await takeFirstSteps(records, {
    dashboardUrl: first.dashboardUrl,
    makesFirstKey: makeFirstKey,
  });

  async function prepareWorker({ channel }: Worker): Promise<StartedWorker> {
    const [knownConfig, knownStatus] = [current, configuration];
    const started = await channel.call('start', {
      config: shareConfig(knownConfig, config.workers),
      configuration,
      secrets,
      ticketKeys,
      sendsDecisions: isSqlite,
    });
    await catchUp(channel, knownConfig);
    // The configuration may have been refused while this worker started.
    if (configuration !== knownStatus && configuration.refused)
      await channel.call('refuse', configuration.refused.because);
    return started;
  }

  /** Brings a worker that has missed a reload to the newest configuration. */
  async function catchUp(channel: Worker['channel'], known: Config): Promise<void> {
    for (let wanted = current; known !== wanted; wanted = current) {
      const { waiting } = configuration;
      await channel.call('prepare', { config: shareConfig(wanted, config.workers), waiting });
      await channel.call('apply', null);
      known = wanted;
    }
  }

  async function configure(changed: Config): Promise<readonly string[]> {
    const { config: next, waiting } = planReload(current, changed);
    const workers = pool.ready();
    const reload = { config: shareConfig(changed, config.workers), waiting };
    const inEach = (among: readonly Worker[], act: (worker: Worker) => Promise<void>) =>
      Promise.all(
        among.map((worker) =>
          act(worker).catch((error: unknown) => {
            // A worker that ends meanwhile is replaced by one with the newest configuration.
            if (pool.ready().includes(worker)) throw error;
          }),
        ),
      );
    const [replaceFeeds] = await Promise.all([
      feeds.prepare(next.datasets),
      inEach(workers, ({ channel }) => channel.call('prepare', reload)),
    ]);
    const before = current;
    current = next;
    configuration = { waiting, refused: null };
    replaceFeeds();
    log.configure(next.log);
    await inEach(workers, ({ channel }) => channel.call('apply', null));
    const late = pool.ready().filter((worker) => !workers.includes(worker));
    await inEach(late, ({ channel }) => catchUp(channel, before));
    return waiting;
  }

  return {
    ...first,
    setUpLink: firstSteps.setUpLink,
    earlierLinkValidUntil: firstSteps.earlierLinkValidUntil,
    firstKey: firstSteps.firstKey,
    hasKeys: config.api.keys.length > 0 || firstSteps.hasStoredKeys,
    givenUp,
    configure,
    refuseConfiguration(because) {
      configuration = {
        ...configuration,
        refused: { since: configuration.refused?.since ?? clock(), because },
      };
      for (const { channel } of pool.ready()) void channel.call('refuse', because).catch(() => {});
    },
    reopenLogs() {
      for (const { channel } of pool.ready()) void channel.call('reopenLogs', null).catch(() => {});
    },
    async stop() {
      for (const { channel } of pool.ready()) void channel.call('drain', null).catch(() => {});
      if (config.server.stop_delay !== null) await delay(config.server.stop_delay);
      await close(config.server.drain_timeout);
    },
  };
}

function recordsOf({ storage }: Config) {
  return { url: storage.records, isSqlite: storage.records.startsWith('sqlite:') };
}

async function writeOne({ ledger }: Storage, entry: ScoringWrite) {
  try {
    return { outcome: await ledger.write(entry) };
  } catch (error) {
    return { error: describeError(error) };
  }
}
