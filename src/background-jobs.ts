import type { Clock } from './clock.ts';
import type { Config } from './config/config.ts';
import { openAlerts } from './exports/open-alerts.ts';
import { openExports } from './exports/open-exports.ts';
import type { Opened } from './opened.ts';
import { startAttackJob } from './storage/attacks/attack-job.ts';
import type { LeasedJob } from './storage/fleet/fleet-store.ts';
import { ALL_JOBS, openJobLeases } from './storage/fleet/job-leases.ts';
import { startIncidentJob } from './storage/incidents/incident-job.ts';
import { startRetentionJob } from './storage/retention/retention-job.ts';
import { startSizeLimitJob } from './storage/retention/size-limit-job.ts';
import { startAggregationJob } from './storage/rollups/aggregation-job.ts';
import type { Storage } from './storage/storage.ts';
import type { JobName } from './telemetry/job-names.ts';
import type { Logger } from './telemetry/logger.ts';
import type { MeasuredExport, MeasuredJob } from './telemetry/metric-sources.ts';
import type { Metrics } from './telemetry/metrics.ts';

export interface BackgroundJobsDependencies {
  readonly records: Storage;
  readonly config: () => Config;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly log: Logger;
  /** Registers the jobs, so that they are closed at the end. */
  readonly keep: Opened['keep'];
}

export interface BackgroundJobs {
  /** Whether this node fetches the feeds. */
  fetchesFeeds(): boolean;
  /** The jobs of all nodes. Each one says whether this node runs it now. */
  jobs(): readonly MeasuredJob[];
  /** The deliveries to webhooks. */
  exports(): readonly MeasuredExport[];
}

const LEASED_JOBS: readonly LeasedJob[] = [
  ...(['aggregation', 'attacks', 'feeds', 'incidents'] as const),
  ...(['retention', 'size_limit'] as const),
];

/**
 * Starts the work on stored data that no request waits for. When several nodes share a PostgreSQL database, one node
 * does each job.
 */
export async function startBackgroundJobs(parts: BackgroundJobsDependencies): Promise<BackgroundJobs> {
  const { records, config, metrics, clock, log, keep } = parts;
  const leases = keep(records.fleet ? await openJobLeases({ fleet: records.fleet, log }) : ALL_JOBS);
  const job = (name: JobName) => ({
    ran: (isDone: boolean) => metrics.jobRan(name, isDone),
    isHolder: () => leases.holds(name),
    log,
  });
  keep(startAggregationJob({ rollups: records.rollups, ...job('aggregation') }));
  keep(
    startSizeLimitJob({
      decisions: records.decisions,
      bounds: () => config().storage,
      clock,
      ...job('size_limit'),
    }),
  );
  const keptMs = () => config().privacy.retention;
  keep(startAttackJob({ attacks: records.attacks, keptMs, clock, ...job('attacks') }));
  keep(startIncidentJob({ records, keptMs, clock, ...job('incidents') }));
  keep(
    openAlerts({
      config,
      attacks: records.attacks,
      incidents: records.incidents,
      alerts: records.alerts,
      metrics: metrics.alerts,
      clock,
      log,
      isHolder: () => leases.holds('attacks'),
    }),
  );
  const exporting = keep(
    openExports({
      configs: config().exports,
      store: records.exports,
      metrics: metrics.exports,
      clock,
      log,
    }),
  );
  keep(startRetentionJob({ records, retentionMs: keptMs, ...job('retention') }));
  return {
    fetchesFeeds: () => leases.holds('feeds'),
    jobs: () => LEASED_JOBS.map((task) => ({ task, isHeld: leases.holds(task) })),
    exports: () => exporting.progress(),
  };
}
