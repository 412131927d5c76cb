import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createConfiguredKeys } from './accounts/configured-keys.ts';
import { createFirstKey } from './accounts/first-key.ts';
import { specialRange } from './addresses/cidr.ts';
import { createApi } from './api/api-app.ts';
import type { Readiness } from './api/exchange.ts';
import { createPseudonymizer } from './assessment/identity.ts';
import type { Clock } from './clock.ts';
import type { Config, ProxyConfig } from './config/config.ts';
import { parseListenAddress } from './config/listen-address.ts';
import { findNeedingRestart } from './config/unsupported.ts';
import { openConfiguredCounters } from './configured-counters.ts';
import { openConfiguredJudge } from './configured-judge.ts';
import { openDatasets } from './datasets/open-datasets.ts';
import { createDecisionRecorder } from './decisions/decision-recorder.ts';
import type { OpenGate } from './gate/open-gate.ts';
import { openLagMonitor } from './http/event-loop.ts';
import { type Listener, listenerUrl, openListener } from './http/listener.ts';
import { openLiveLists } from './lists/live-lists.ts';
import { createOpened, type Opened } from './opened.ts';
import { keepAssertionSecret } from './secrets/assertion-secret-file.ts';
import { openSecrets } from './secrets/open-secrets.ts';
import { sqlitePathOf } from './storage/engine/sqlite-file.ts';
import { openStorage } from './storage/open-storage.ts';
import { startRetentionJob } from './storage/retention/retention-job.ts';
import { startSizeLimitJob } from './storage/retention/size-limit-job.ts';
import { startAggregationJob } from './storage/rollups/aggregation-job.ts';
import type { Logger } from './telemetry/logger.ts';
import { createMetrics } from './telemetry/metrics.ts';
import { openVerification } from './verification/open-verification.ts';

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
  /** The link for creating the first operator; null when there is one. */
  readonly setUpLink: string | null;
  /** The key that was created because there was none; null when a key existed, or `firstKey` was not requested. */
  readonly firstKey: string | null;
  /**
   * Applies a changed configuration without losing a request. Returns the settings that only a restart would change.
   */
  configure(config: Config): Promise<readonly string[]>;
  /** Stops accepting, finishes running requests and closes everything, all within `server.drain_timeout`. */
  stop(): Promise<void>;
}

export interface GatekeeperOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly clock: Clock;
  /** Creates a key when the storage has none: for a first run without a configuration. */
  readonly makeFirstKey: boolean;
  /** Aborts the start between two of its steps: open parts are closed, and the signal's reason is thrown. */
  readonly stop?: AbortSignal;
}

/** Built-in data, beside `src` in a checkout and beside `dist` in the package. */
export const DATASETS_FOLDER = fileURLToPath(new URL('../datasets/', import.meta.url));

/**
 * @throws StorageError, DatasetsError and others, each with a message that names the file and the remedy; or a system
 * error when an address cannot be bound. All open parts are closed first.
 */
export async function startGatekeeper(options: GatekeeperOptions): Promise<Gatekeeper> {
  const opened = createOpened();
  try {
    return await openGatekeeper(options, opened);
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function openGatekeeper(
  { config, log, clock, makeFirstKey, stop }: GatekeeperOptions,
  opened: Opened,
): Promise<Gatekeeper> {
  stop?.throwIfAborted();
  const { keep, keepDoor } = opened;
  const storageFolder = dirname(sqlitePathOf(config.storage.records));
  const [records, secrets, datasets] = await Promise.all([
    openStorage({ url: config.storage.records, clock }).then(keep),
    openSecrets(storageFolder),
    openDatasets({
      ...{ folder: DATASETS_FOLDER, feedsFolder: `${storageFolder}/feeds` },
      ...{ config: config.datasets, clock, log },
    }).then(keep),
  ]);
  stop?.throwIfAborted();
  let current = config;
  const metrics = createMetrics();
  const { decisions, ledger } = records;
  const hashSecret = config.privacy.hash_secret ?? secrets.hashSecret;
  const counters = keep(
    await openConfiguredCounters({
      ...{ config, hashSecret, recent: decisions.recent, datasets },
      ...{ metrics: metrics.sharedCounters, clock, log, stop },
    }),
  );
  const recorder = createDecisionRecorder({ decisions, ledger, metrics: metrics.decisions, log });
  const pseudonymize = createPseudonymizer(hashSecret);
  const lists = keep(
    await openLiveLists({
      ...{ records: records.listEntries, pseudonymize, config: () => current, clock, log },
    }),
  );
  const configuredJudge = keep(openConfiguredJudge({ datasets, counters, lists: lists.rules, log, metrics }));
  const configuredKeys = createConfiguredKeys(records);

  const keepSecretFor = ({ assertion }: Config) =>
    keepAssertionSecret(storageFolder, secrets.assertionSecret, assertion.keys);
  let settings = await settingsOf(config);
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
      countryOf: (ip) => (specialRange(ip) ? null : datasets.current.network.locate(ip).country),
      ...{ gateUrl: () => gateUrl, clock, log, metrics: metrics.verification },
    }),
  );
  stop?.throwIfAborted();
  const gate = config.proxy && (await openDoor2(config.proxy));
  const listener = gate?.servesApi ? null : await openApiListener();
  const apiUrl = listener ? listenerUrl(listener.address) : (gate?.url ?? '');
  const { mailer, mailbox } = verification;
  // Imported late: this is a quarter of all modules, and the doors are open by then.
  const [{ openDashboard }, { createSetUpLink }] = await Promise.all([
    import('./dashboard/open-dashboard.ts'),
    import('./accounts/account-links.ts'),
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
      exposition: async () =>
        (await import('./telemetry/exposition.ts')).createExposition({
          ...{ metrics, lagMs: lag.lagMs, recordsQueueLength: records.ledger.queueLength, clock, status },
        }),
    }),
  );
  stop?.throwIfAborted();
  const setUpLink = await createSetUpLink(records, dashboard.url);
  // Last: the key is shown once, and a start that fails earlier must not use it up.
  const firstKey = makeFirstKey ? await createFirstKey(records) : null;
  datasets.startRefreshing();
  keep(startAggregationJob({ rollups: records.rollups, log }));
  keep(startSizeLimitJob({ decisions: records.decisions, bounds: () => current.storage, clock, log }));
  keep(startRetentionJob({ records, retentionMs: () => settings.retention, clock, log }));

  function status() {
    const { revision, info } = datasets.current;
    const seesUntrustedForwarding = gate?.seesUntrustedForwarding() ?? false;
    const unjudgedSignups = gate?.unjudgedSignups() ?? [];
    return { seesUntrustedForwarding, unjudgedSignups, datasets: info, dataRevision: revision };
  }

  async function openApiListener(): Promise<Listener> {
    const listen = parseListenAddress(config.api.listen) ?? { host: '127.0.0.1', port: 8080 };
    return keepDoor(await openListener({ listen, limits: config.server, handler: api.handler }));
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
    });
    keepDoor(open);
    gateUrl = open.ownUrl;
    return { ...open, servesApi, url: listenerUrl(open.address, proxy.tls !== null), assertionSecretFile };
  }

  async function settingsOf(from: Config) {
    const judge = configuredJudge.judgeFor(from);
    await configuredKeys.configure(from.api.keys);
    await records.decisions.savePolicy(judge.policyRevision, judge.policy);
    return {
      judge,
      plans: from.api.plans,
      testRequestsPerMinute: from.api.test_requests_per_minute,
      storePlain: from.privacy.store_plain,
      retention: from.privacy.retention,
    };
  }

  async function readiness(): Promise<Readiness> {
    if (draining) return { ready: false, draining, because: 'The server is shutting down.' };
    try {
      await records.ping();
      return { ready: true, countersLocalSince: counters.localSince() };
    } catch (error) {
      log.error({ err: error }, 'the records do not answer');
      return { ready: false, draining, because: 'The records do not answer.' };
    }
  }

  return {
    apiUrl,
    gate,
    dashboardUrl: dashboard.url,
    setUpLink,
    firstKey,
    async configure(changed) {
      const next = await settingsOf(changed);
      if (gate) await keepSecretFor(changed);
      await gate?.configure(changed, next.judge);
      verification.configure(changed);
      settings = next;
      current = changed;
      return findNeedingRestart(config, changed);
    },
    async stop() {
      draining = true;
      await opened.close(config.server.drain_timeout);
    },
  };
}
