import type { BackgroundJobs } from '../background-jobs.ts';
import type { Clock } from '../clock.ts';
import { isOld } from '../datasets/feed-age.ts';
import type { JudgingParts } from '../judging-parts.ts';
import type { NodeReporter } from '../storage/fleet/node-reporter.ts';
import type { RecordsWatch } from '../storage/records-watch.ts';
import { within } from '../storage/within.ts';
import type { ProcessExposition } from '../telemetry/exposition.ts';
import type { MetricSources } from '../telemetry/metric-sources.ts';

export interface ExpositionDependencies extends Pick<MetricSources, 'lagMs' | 'status'> {
  readonly parts: Pick<JudgingParts, 'metrics' | 'records' | 'counters'>;
  readonly recordsWatch: RecordsWatch;
  readonly clock: Clock;
  /** Null while the process starts, and in a worker. */
  readonly jobs: () => BackgroundJobs | null;
  /** Null while the process starts, and with SQLite. */
  readonly nodeReporter: () => NodeReporter | null;
}

/** Prometheus waits ten seconds for the whole page, so one slow value must not use that time. */
const METRIC_WAIT_MS = 1_000;

/** The metrics page of this process. Its module is loaded with the first request for it. */
export async function openExposition(sources: ExpositionDependencies): Promise<ProcessExposition> {
  const { createExposition } = await import('../telemetry/exposition.ts');
  return createExposition(metricSources(sources));
}

/** Collects the values that the metrics page reads at each request. */
function metricSources(sources: ExpositionDependencies): MetricSources {
  const { parts, recordsWatch, jobs, nodeReporter, lagMs, status, clock } = sources;
  const { metrics, records, counters } = parts;
  return {
    metrics,
    lagMs,
    status,
    clock,
    isOld,
    recordsQueueLength: records.ledger.queueLength,
    engines: async () => ({
      records: recordsWatch.awaySince() === null,
      counters: counters.localSince() === null,
    }),
    countersMemory: counters.memory,
    // The page must be fast even when the database does not answer.
    partitionsAhead: () => within(METRIC_WAIT_MS, records.partitionsAhead()).catch(() => null),
    jobs: () => jobs()?.jobs() ?? [],
    exports: () => jobs()?.exports() ?? [],
    fleet: () => nodeReporter()?.measure() ?? null,
  };
}
