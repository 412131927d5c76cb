import { createConfiguredKeys } from './accounts/configured-keys.ts';
import { specialRange } from './addresses/cidr.ts';
import { createApi } from './api/api-app.ts';
import type { Readiness } from './api/exchange.ts';
import type { Judge } from './assessment/judge.ts';
import { type BackgroundJobs, startBackgroundJobs } from './background-jobs.ts';
import type { Clock } from './clock.ts';
import type { Config, ProxyConfig } from './config/config.ts';
import { configurationRevision } from './config/configuration-revision.ts';
import { parseListenAddress } from './config/listen-address.ts';
import { type ConfigurationStatus, planReload } from './config/reload.ts';
import { isOld } from './datasets/feed-age.ts';
import type { OpenGate } from './gate/open-gate.ts';
import type { AcceptConnections } from './http/bind-server.ts';
import { openLagMonitor } from './http/event-loop.ts';
import { type Listener, listenerUrl, openListener } from './http/listener.ts';
import { openJudgingParts } from './judging-parts.ts';
import { createOpened, type Opened } from './opened.ts';
import { keepAssertionSecret } from './secrets/assertion-secret-file.ts';
import type { Secrets } from './secrets/open-secrets.ts';
import { openNodeReporter } from './storage/fleet/node-reporter.ts';
import type { OpenStorageOptions } from './storage/open-storage.ts';
import { openRecordsWatch } from './storage/records-watch.ts';
import { storageFolderOf } from './storage/storage-folder.ts';
import type { Exposition, MetricsSnapshot, ProcessExposition } from './telemetry/exposition.ts';
import type { ProcessLogger } from './telemetry/logger.ts';
import { openVerification } from './verification/open-verification.ts';
import { VERSION } from './version.ts';

/** A running Gatekeeper. Explicit code opens and wires every part, and closes them in reverse order. */
export interface Gatekeeper {
  /** `http://host:port` of the API door. */
  readonly apiUrl: string;
  /** Of the gate; null when only the API is served. */
  readonly gate: {
    readonly url: string;
    /** The file of the generated assertion secret; null when the configuration names a key. */
    readonly assertionSecretFile: string | null;
  } | null;
  /** Of the dashboard. */
  readonly dashboardUrl: string;
  /** The link for creating the first operator; null when there is one, or another start printed a link that is valid. */
  readonly setUpLink: string | null;
  /** Until when the link of another start is valid; null when this start made one, or an operator exists. */
  readonly earlierLinkValidUntil: number | null;
  /** The key that was created because there was none; null when a key existed, or `firstKey` was not requested. */
  readonly firstKey: string | null;
  /** Whether a key exists: in the storage, revoked keys too, or in the configuration. */
  readonly hasKeys: boolean;
  /**
   * Applies a changed configuration without losing a request: as a whole, or, when it throws, not at all.
   * @returns the settings that only a restart would change.
   */
  configure(config: Config): Promise<readonly string[]>;
  /** Shows in `/readyz` and on the dashboard that the configuration file cannot be used, until the next `configure`. */
  refuseConfiguration(because: string): void;
  /** Opens the file of the decision log again: a log rotation has moved it. */
  reopenLogs(): void;
  /** Stops accepting, finishes running requests and closes everything, all within `server.drain_timeout`. */
  stop(): Promise<void>;
}

/** Gatekeeper in this process. */
export interface GatekeeperProcess extends Gatekeeper {
  /**
   * Does all of `configure` that can fail.
   * @returns a function that applies the configuration, and returns the settings that only a restart would change.
   */
  prepare(config: Config): Promise<() => readonly string[]>;
  /** The metrics of this process. */
  measure(): Promise<MetricsSnapshot>;
}

/** A process that serves the same doors as others, and what their parent gives it. The parent runs the jobs. */
export interface WorkerRole {
  readonly secrets: Secrets;
  readonly configuration: ConfigurationStatus;
  readonly storage: Pick<OpenStorageOptions, 'startQueue' | 'busyTimeoutMs'>;
  readonly acceptAt: (door: DoorName) => AcceptConnections;
  /** Each worker resumes the TLS sessions of the others. */
  readonly ticketKeys: Buffer;
  /** The metrics of all workers. */
  readonly exposition: Exposition;
}

export type DoorName = 'api' | 'gate' | 'dashboard';

export interface GatekeeperOptions {
  readonly config: Config;
  readonly log: ProcessLogger;
  readonly clock: Clock;
  /** Creates a key when the storage has none: for a first run without a configuration. */
  readonly makeFirstKey: boolean;
  /** Aborts the start between two of its steps: open parts are closed, and the signal's reason is thrown. */
  readonly stop?: AbortSignal;
  /** Left out: this process does everything itself. */
  readonly worker?: WorkerRole;
}

/** As long as keys work without them: a failover is over by then. */
const API_READY_WITHOUT_RECORDS_MS = 60_000;

/**
 * @throws StorageError, DatasetsError and others, each with a message that names the file and the remedy; or a system
 * error when an address cannot be bound. All open parts are closed first.
 */
export async function startGatekeeper(options: GatekeeperOptions): Promise<GatekeeperProcess> {
  const opened = createOpened();
  try {
    return await openGatekeeper(options, opened);
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function openGatekeeper(
  { config, log, clock, makeFirstKey, stop, worker }: GatekeeperOptions,
  opened: Opened,
): Promise<GatekeeperProcess> {
  stop?.throwIfAborted();
  const { keep, keepDoor } = opened;
  let jobs: BackgroundJobs | null = null;
  let current = config;
  const parts = await openJudgingParts({
    ...{ config, currentConfig: () => current, clock, log, stop, keep },
    fetchesFeeds: () => jobs?.fetchesFeeds() ?? false,
    ...(worker && { worker: { secrets: worker.secrets, storage: worker.storage } }),
  });
  const { records, secrets, datasets, metrics, counters, recorder, pseudonymize, lists } = parts;
  const { decisionLog, configuredJudge, changes } = parts;
  const recordsWatch = keep(openRecordsWatch({ records, clock, log }));
  const configuredKeys = createConfiguredKeys(records);

  const keepSecretFor = ({ assertion }: Config) =>
    keepAssertionSecret(storageFolderOf(config.storage.records), secrets.assertionSecret, assertion.keys);
  let settings = settingsOf(config, configuredJudge.judgeFor(config));
  await keepForDecisions(settings.judge);
  (await configuredKeys.prepare(config.api.keys))();
  let configuration: ConfigurationStatus = worker?.configuration ?? { waiting: [], refused: null };
  let draining = false;
  const lag = keep(openLagMonitor({ maxLagMs: config.server.max_lag }));
  const api = createApi({
    settings: () => settings,
    records: { ...records, apiKeys: configuredKeys.apiKeys },
    recorder,
    counters,
    pseudonymize,
    limits: config.server,
    lag,
    readiness,
    metrics: metrics.api,
    clock,
    log,
  });
  let gateUrl: string | null = null;
  const verification = keep(
    openVerification({
      ...{ config, heldSignups: records.heldSignups, holdSecret: secrets.holdKey, pseudonymize },
      expiryTime: records.now,
      countryOf: (ip) => (specialRange(ip) ? null : datasets.current.network.locate(ip).country),
      ...{ gateUrl: () => gateUrl, clock, log, metrics: metrics.verification },
    }),
  );
  stop?.throwIfAborted();
  const gate = config.proxy && (await openDoor2(config.proxy));
  const listener = gate?.servesApi ? null : await openApiListener();
  const apiUrl = listener ? listenerUrl(listener.address) : (gate?.url ?? '');
  const { mailer, mailbox } = verification;
  let own: Promise<ProcessExposition> | null = null;
  const exposition = () => {
    own ??= openExposition();
    return own;
  };
  // Imported late: this is a quarter of all modules, and the doors are open by then.
  const [{ openDashboard }, { takeFirstSteps }] = await Promise.all([
    import('./dashboard/open-dashboard.ts'),
    import('./accounts/first-steps.ts'),
  ]);
  const dashboard = keepDoor(
    await openDashboard({
      ...{ openedWith: config, config: () => current, records, recorder, mailer, mailbox, lists },
      counters,
      ...{
        pseudonymize,
        judge: () => settings.judge,
        secret: secrets.dashboardSecret,
        apiUrl,
        status,
        clock,
        log,
      },
      exposition: async () => worker?.exposition ?? exposition(),
      accept: worker?.acceptAt('dashboard'),
    }),
  );
  stop?.throwIfAborted();
  const firstSteps = worker
    ? null
    : await takeFirstSteps(records, { dashboardUrl: dashboard.url, makesFirstKey: makeFirstKey });
  const nodeReporter =
    records.fleet &&
    keep(
      openNodeReporter({
        ...{ store: records.fleet.nodes, databaseTime: records.now, clock, log },
        describe: () => ({
          version: VERSION,
          configuration: configurationRevision(current),
          data: datasets.current.revision,
          degraded: [
            ...(counters.localSince() === null ? [] : ['counters']),
            ...(configuration.refused ? ['configuration'] : []),
            ...(configuration.waiting.length > 0 ? ['restart'] : []),
          ],
        }),
      }),
    );
  if (!worker)
    jobs = await startBackgroundJobs({ records, config: () => current, metrics, clock, log, keep });
  datasets.startRefreshing();

  async function openExposition(): Promise<ProcessExposition> {
    return (await import('./telemetry/exposition.ts')).createExposition({
      ...{ metrics, lagMs: lag.lagMs, recordsQueueLength: records.ledger.queueLength, clock, status, isOld },
      engines: async () => ({
        records: recordsWatch.awaySince() === null,
        counters: counters.localSince() === null,
      }),
      exports: () => jobs?.exports() ?? [],
      fleet: () => nodeReporter?.measure() ?? null,
    });
  }
  function status() {
    const { revision, info } = datasets.current;
    const seesUntrustedForwarding = gate?.seesUntrustedForwarding() ?? false;
    const unjudgedSignups = gate?.unjudgedSignups() ?? [];
    const missingEmails = gate?.missingEmails() ?? [];
    return {
      seesUntrustedForwarding,
      unjudgedSignups,
      missingEmails,
      countersLocalSince: counters.localSince(),
      datasets: info,
      dataRevision: revision,
      configuration,
    };
  }

  async function openApiListener(): Promise<Listener> {
    const listen = parseListenAddress(config.api.listen) ?? { host: '127.0.0.1', port: 8080 };
    const accept = worker?.acceptAt('api');
    return keepDoor(await openListener({ listen, limits: config.server, handler: api.handler, accept }));
  }

  /**
   * When the gate shares an address with the API, the API's own paths come first. Port 0 never means a shared address.
   */
  async function openDoor2(proxy: ProxyConfig) {
    const servesApi = proxy.listen === config.api.listen && !proxy.listen.endsWith(':0');
    const assertionSecretFile = await keepSecretFor(config);
    const { openGate } = await import('./gate/open-gate.ts');
    const open: OpenGate = await openGate({
      config,
      proxy,
      judge: settings.judge,
      assertionSecret: secrets.assertionSecret,
      before: servesApi ? api : null,
      recorder,
      pseudonymize,
      verification,
      lag,
      metrics: metrics.gate,
      clock,
      log,
      accept: worker?.acceptAt('gate'),
      ticketKeys: worker?.ticketKeys,
    });
    keepDoor(open);
    gateUrl = open.ownUrl;
    return { ...open, servesApi, url: listenerUrl(open.address, proxy.tls !== null), assertionSecretFile };
  }

  function settingsOf(from: Config, judge: Judge) {
    return {
      judge,
      plans: from.api.plans,
      testRequestsPerMinute: from.api.test_requests_per_minute,
      storePlain: from.privacy.store_plain,
    };
  }

  /** Explains decisions by the policy of their time. */
  function keepForDecisions({ policyRevision, policy }: Judge): Promise<void> {
    return records.decisions.savePolicy(policyRevision, policy);
  }

  function readiness(): Readiness {
    if (draining) return { ready: false, draining, because: 'The server is shutting down.' };
    const recordsAwaySince = recordsWatch.awaySince();
    // A gate goes on judging. Another node of the API may have its records.
    if (!gate && recordsAwaySince !== null && clock() - recordsAwaySince >= API_READY_WITHOUT_RECORDS_MS)
      return { ready: false, draining, because: 'The records do not answer.' };
    const oldFeeds = datasets.current.info.filter((set) => isOld(set, clock())).map(({ name }) => name);
    return {
      ready: true,
      countersLocalSince: counters.localSince(),
      recordsAwaySince,
      isNotified: changes?.isNotified() ?? null,
      nodeIssues: (nodeReporter?.issues() ?? []).map(({ kind }) => kind),
      configuration,
      oldFeeds,
    };
  }

  async function prepare(changed: Config): Promise<() => readonly string[]> {
    const { config: next, waiting } = planReload(config, changed);
    const judge = configuredJudge.judgeFor(next);
    // First all that can fail, and of this the records last.
    const [replaceDatasets, replaceGate] = await Promise.all([
      datasets.prepare(next.datasets),
      gate?.prepare(next, judge),
      gate && keepSecretFor(next),
    ]);
    await keepForDecisions(judge);
    const replaceKeys = await configuredKeys.prepare(next.api.keys);
    // Then all in one tick, so that no request finds one part changed and another not.
    return () => {
      replaceDatasets();
      replaceGate?.();
      replaceKeys();
      verification.configure(next);
      log.configure(next.log);
      settings = settingsOf(next, judge);
      current = next;
      configuration = { waiting, refused: null };
      return waiting;
    };
  }

  return {
    apiUrl,
    gate,
    dashboardUrl: dashboard.url,
    setUpLink: firstSteps?.setUpLink ?? null,
    earlierLinkValidUntil: firstSteps?.earlierLinkValidUntil ?? null,
    firstKey: firstSteps?.firstKey ?? null,
    hasKeys: config.api.keys.length > 0 || firstSteps?.hasStoredKeys === true,
    configure: async (changed) => (await prepare(changed))(),
    prepare,
    measure: async () => (await exposition()).snapshot(),
    refuseConfiguration(because) {
      const since = configuration.refused?.since ?? clock();
      configuration = { ...configuration, refused: { since, because } };
    },
    reopenLogs: () => decisionLog?.reopen(),
    async stop() {
      draining = true;
      await opened.close(config.server.drain_timeout);
    },
  };
}
