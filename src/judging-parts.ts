import { createPseudonymizer, type Pseudonymize } from './assessment/identity.ts';
import type { Clock } from './clock.ts';
import type { Config, TracesConfig } from './config/config.ts';
import { type ConfiguredCounters, openConfiguredCounters } from './configured-counters.ts';
import { type ConfiguredJudge, openConfiguredJudge } from './configured-judge.ts';
import { DATASETS_FOLDER } from './datasets/datasets-folder.ts';
import { type DatasetStore, openDatasets } from './datasets/open-datasets.ts';
import { createDecisionRecorder, type DecisionRecorder } from './decisions/decision-recorder.ts';
import { traceRecorder } from './decisions/trace-recorder.ts';
import { openDecisionLog } from './exports/open-decision-log.ts';
import { type LiveLists, openLiveLists } from './lists/live-lists.ts';
import type { Opened } from './opened.ts';
import { keepHashSecret, noteHashSecret } from './secrets/check-hash-secret.ts';
import { openConfiguredSecrets } from './secrets/configured-secrets.ts';
import type { Secrets } from './secrets/open-secrets.ts';
import { awaitStorage } from './storage/await-storage.ts';
import { followUsedDomains } from './storage/domain-users/follow-used-domains.ts';
import { isPostgresUrl } from './storage/engine/postgres-url.ts';
import { createDatabaseClock } from './storage/fleet/database-clock.ts';
import type { ChangeFollower } from './storage/fleet/follow-changes.ts';
import { sharedFeeds } from './storage/fleet/shared-feeds.ts';
import { type OpenStorageOptions, openStorage, SERVING_BUSY_TIMEOUT_MS } from './storage/open-storage.ts';
import type { Storage } from './storage/storage.ts';
import { storageFolderOf } from './storage/storage-folder.ts';
import type { Logger } from './telemetry/logger.ts';
import { createMetrics, type Metrics } from './telemetry/metrics.ts';
import { createOutcomeRecorder, type ServiceOutcomes } from './telemetry/service-outcomes.ts';
import { type Tracer, traceCalls } from './telemetry/tracer.ts';

/** All parts that judge and record a signup. Every door uses them. */
export interface JudgingParts {
  readonly records: Storage;
  readonly secrets: Secrets;
  readonly datasets: DatasetStore;
  readonly metrics: Metrics;
  /** Null without traces. */
  readonly tracer: Tracer | null;
  readonly counters: ConfiguredCounters;
  /** Null when the configuration has no decision log. */
  readonly decisionLog: ReturnType<typeof openDecisionLog>;
  readonly recorder: DecisionRecorder;
  readonly pseudonymize: Pseudonymize;
  readonly lists: LiveLists;
  readonly configuredJudge: ConfiguredJudge;
  /** How the resolver answered recently. */
  readonly dnsOutcomes: () => ServiceOutcomes;
  /** The changes that other nodes make. Null with SQLite. */
  readonly changes: ChangeFollower | null;
  /** The clock of this node. With PostgreSQL, the clock of the database when the clock of this node is wrong. */
  readonly clock: Clock;
  /**
   * How far the clock of this node is ahead of the clock of the database. Null when that is unknown, and with SQLite.
   */
  readonly clockSkewMs: () => number | null;
}

export interface JudgingPartsOptions {
  readonly config: Config;
  /** The current configuration. After a reload it differs from `config`. */
  readonly currentConfig: () => Config;
  /** Whether this process fetches the feeds now. */
  readonly fetchesFeeds: () => boolean;
  /** The number of processes that share the counters. Left out: only this process. */
  readonly nodesAlive?: () => number;
  /** The clock of this node. */
  readonly clock: Clock;
  readonly log: Logger;
  /** Null, or without a receiver: no traces. */
  readonly traces: TracesConfig | null;
  /** Closes the parts. */
  readonly keep: Opened['keep'];
  readonly stop?: AbortSignal | undefined;
  /** The work that the parent of a worker does for it. Left out: this process does all the work itself. */
  readonly worker?: {
    readonly secrets: Secrets;
    readonly storage: Pick<OpenStorageOptions, 'startQueue'>;
  };
}

const COUNTER_SPANS = {
  observe: counterSpan('observe'),
  acquirePerMinute: counterSpan('acquire_per_minute'),
};

/**
 * Opens storage, data sets, counters, lists and the judge, and connects them.
 * @throws StorageError, DatasetsError and others, each with a message that names the file and the remedy. The caller
 *   closes the parts that `keep` received.
 */
export async function openJudgingParts(options: JudgingPartsOptions): Promise<JudgingParts> {
  const { config, log, keep, stop, worker, nodesAlive = () => 1 } = options;
  const time = createDatabaseClock(options.clock);
  const clock = isPostgresUrl(config.storage.records) ? time.now : options.clock;
  const storageFolder = storageFolderOf(config.storage.records);
  const metrics = createMetrics();
  const tracer = await openConfiguredTracer(options.traces, metrics, log);
  // Closed last: other parts may still have spans.
  if (tracer) keep(tracer);
  const opening = awaitStorage(
    () =>
      openStorage({
        url: config.storage.records,
        clock,
        log,
        metrics: metrics.records,
        busyTimeoutMs: SERVING_BUSY_TIMEOUT_MS,
        ...worker?.storage,
      }),
    { log, stop },
  ).then(keep);
  const [records, secrets, datasets] = await Promise.all([
    opening,
    worker ? worker.secrets : openConfiguredSecrets(config),
    openDatasets({
      folder: DATASETS_FOLDER,
      feedsFolder: `${storageFolder}/feeds`,
      config: config.datasets,
      fetches: options.fetchesFeeds,
      clock,
      log,
      ...(isPostgresUrl(config.storage.records) && sharedFeeds(opening)),
    }).then(keep),
  ]);
  stop?.throwIfAborted();
  const { decisions, ledger } = records;
  const { hashSecret } = secrets;
  if (records.fleet) {
    keep(await time.follow(records.now));
    await keepHashSecret(records.fleet, hashSecret);
  } else {
    await noteHashSecret(records, hashSecret, log);
  }
  // A new export begins here, before the first decision.
  for (const { name } of config.exports) await records.exports.add(name);
  const changes = records.fleet && keep(await records.fleet.followChanges(log));
  changes?.onChange(datasets.loadStored);
  const openedCounters = keep(
    await openConfiguredCounters({
      config,
      hashSecret,
      recent: decisions.recent,
      concluded: decisions.concluded,
      datasets,
      metrics: metrics.sharedCounters,
      nodesAlive,
      clock,
      log,
      stop,
    }),
  );
  const isShared = config.storage.counters !== 'memory';
  const counters = tracer && isShared ? traceCalls(tracer, openedCounters, COUNTER_SPANS) : openedCounters;
  const decisionLog = openDecisionLog({ to: config.log.decisions.to, log, metrics: metrics.exports });
  if (decisionLog) keep(decisionLog);
  const untraced = createDecisionRecorder({
    decisions,
    ledger,
    metrics: metrics.decisions,
    log,
    decisionLog,
  });
  const system = isPostgresUrl(config.storage.records) ? 'postgresql' : 'sqlite';
  const recorder = tracer ? traceRecorder(untraced, { tracer, system }) : untraced;
  const pseudonymize = createPseudonymizer(hashSecret);
  const lists = keep(
    await openLiveLists({
      records: records.listEntries,
      pseudonymize,
      changes,
      config: options.currentConfig,
      clock,
      log,
    }),
  );
  const { domains: usedDomains } = keep(await followUsedDomains({ records: records.domainUsers, log }));
  const dnsOutcomes = createOutcomeRecorder(clock);
  const configuredJudge = keep(
    openConfiguredJudge({
      datasets,
      counters,
      lists: lists.rules,
      usedDomains,
      log,
      metrics,
      dnsOutcomes,
      tracer,
    }),
  );
  return {
    records,
    secrets,
    datasets,
    metrics,
    tracer,
    counters,
    decisionLog,
    recorder,
    pseudonymize,
    lists,
    configuredJudge,
    dnsOutcomes: dnsOutcomes.read,
    changes,
    clock,
    clockSkewMs: time.skewMs,
  };
}

function counterSpan(operation: string) {
  const attributes = { 'db.system.name': 'redis', 'db.operation.name': operation };
  return { name: `counters ${operation}`, kind: 'client', attributes } as const;
}

/** The packages of OpenTelemetry are loaded only when traces are configured. */
async function openConfiguredTracer(
  traces: TracesConfig | null,
  { traces: { spans: onSpans } }: Metrics,
  log: Logger,
): Promise<Tracer | null> {
  const otlp = traces?.otlp ?? null;
  if (traces === null || otlp === null) return null;
  const { openTracer } = await import('./telemetry/open-tracer.ts');
  return openTracer({ traces: { ...traces, otlp }, onSpans, log });
}
