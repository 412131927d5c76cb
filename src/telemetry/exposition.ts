import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { type DurationSeries, describeDurations, renderDurations } from './describe-durations.ts';
import { registerEngines } from './engine-gauges.ts';
import type { DurationHistogram } from './instruments.ts';
import type { MeasuredMetric } from './measured-metric.ts';
import type { MeasuredDataset, MeasuredExport, MeasuredFleet, MetricSources } from './metric-sources.ts';

export interface Exposition {
  readonly contentType: string;
  /** The current numbers, in the text format of Prometheus. */
  render(): Promise<string>;
}

/** The exposition of one process. */
export interface ProcessExposition extends Exposition {
  /** The current numbers, to be added to those of other processes. */
  snapshot(): Promise<MetricsSnapshot>;
}

/** One entry for each metric, as prom-client adds them up. */
export type MetricsSnapshot = readonly MeasuredMetric[];

const PREFIX = 'gatekeeper_';

/**
 * Writes the counters for Prometheus, with the usual numbers of a Node process. These need a sampler of the event loop
 * and an observer of the garbage collector, so the object is created only at the first request. Neither keeps the
 * process running.
 */
export function createExposition(sources: MetricSources): ProcessExposition {
  const registry = new Registry();
  const registers = [registry];
  for (const { name, help, labels, series } of sources.metrics.counters) {
    const counter = new Counter({
      name: PREFIX + name,
      help,
      labelNames: labels,
      registers,
      collect() {
        counter.reset();
        for (const [values, count] of series()) {
          counter.inc(Object.fromEntries(labels.map((label, i) => [label, values[i] ?? ''])), count);
        }
      },
    });
  }
  registerGauges(sources, registers);
  collectDefaultMetrics({ register: registry });
  const durations = () => {
    const { judging, recording, engineCalls } = sources.metrics;
    const calls = Array.from(engineCalls.series(), ({ engine, operation, took }) => {
      return { labels: { engine, operation }, took };
    });
    return [
      describeDurations(`${PREFIX}judging_seconds`, 'How long judging a signup took.', byDoor(judging)),
      describeDurations(
        `${PREFIX}recording_seconds`,
        'How long decisions waited until they were durable.',
        byDoor(recording),
      ),
      describeDurations(
        `${PREFIX}engine_call_seconds`,
        'How long calls to engines on other machines took.',
        calls,
      ),
    ];
  };
  return {
    contentType: registry.contentType,
    async render() {
      return (await registry.metrics()) + durations().map(renderDurations).join('');
    },
    async snapshot() {
      // prom-client names types in text, and declares them as numbers.
      const others = (await registry.getMetricsAsJSON()) as unknown as MetricsSnapshot;
      return [...others.map(withStartTime), ...durations()];
    },
  };
}

/** prom-client leaves the start time out of a sum of processes. The oldest process tells the age of all. */
function withStartTime(metric: MeasuredMetric): MeasuredMetric {
  return metric.name === 'process_start_time_seconds' ? { ...metric, aggregator: 'min' } : metric;
}

function byDoor(durations: Readonly<Record<string, DurationHistogram>>): readonly DurationSeries[] {
  return Object.entries(durations).map(([door, took]) => ({ labels: { door }, took }));
}

function registerGauges(sources: MetricSources, registers: Registry[]): void {
  const single = (
    name: string,
    help: string,
    { aggregator, read }: { readonly aggregator: 'sum' | 'max'; readonly read: () => number },
  ) => {
    const gauge: Gauge = new Gauge({
      name: PREFIX + name,
      help,
      aggregator,
      registers,
      collect: () => gauge.set(read()),
    });
  };
  single(
    'event_loop_lag_seconds',
    'Lag of the event loop, by which requests are refused: the median of the last half second.',
    {
      aggregator: 'max',
      read: () => sources.lagMs() / 1_000,
    },
  );
  single('records_queue_length', 'Decisions that wait to be written.', {
    aggregator: 'sum',
    read: sources.recordsQueueLength,
  });
  single('processes', 'Processes that this page adds up.', { aggregator: 'sum', read: () => 1 });
  single('untrusted_forwarding', '1: forwarding headers arrive and no proxy is trusted.', {
    aggregator: 'max',
    read: () => (sources.status().seesUntrustedForwarding ? 1 : 0),
  });
  const certificate: Gauge = new Gauge({
    name: `${PREFIX}certificate_remaining_seconds`,
    help: 'Time until the certificate of the gate expires; negative: it has expired.',
    aggregator: 'min',
    registers,
    collect() {
      const { certificateExpiresAt } = sources.status();
      certificate.remove();
      if (certificateExpiresAt !== null) certificate.set((certificateExpiresAt - sources.clock()) / 1_000);
    },
  });
  registerFleet(sources, registers);
  registerEngines(sources, PREFIX, registers);
  const perExport = (
    name: string,
    help: string,
    read: (progress: NonNullable<MeasuredExport['progress']>) => number,
  ) => {
    const gauge = new Gauge({
      name: PREFIX + name,
      help,
      labelNames: ['export'],
      aggregator: 'max',
      registers,
      collect() {
        gauge.reset();
        for (const { name: label, progress } of sources.exports()) {
          if (progress) gauge.set({ export: label }, read(progress));
        }
      },
    });
  };
  perExport(
    'export_waiting_decisions',
    'Decisions that a webhook has not received.',
    ({ waiting }) => waiting,
  );
  perExport(
    'export_given_up_decisions',
    'Decisions that a webhook will never receive, since the export exists.',
    ({ givenUp }) => givenUp,
  );
  perExport(
    'export_failing_seconds',
    'Time since the first of the tries that failed in a row; 0: deliveries work.',
    ({ failingSince }) => {
      return failingSince === null ? 0 : (sources.clock() - failingSince) / 1_000;
    },
  );
  const perDataset = (name: string, help: string, read: (dataset: MeasuredDataset) => number) => {
    const gauge = new Gauge({
      name: PREFIX + name,
      help,
      labelNames: ['dataset'],
      aggregator: 'max',
      registers,
      collect() {
        gauge.reset();
        for (const dataset of sources.status().datasets) {
          const value = read(dataset);
          if (!Number.isNaN(value)) gauge.set({ dataset: dataset.name }, value);
        }
      },
    });
  };
  // NaN for a feed that was never fetched: it has no age, and so the value is left out.
  perDataset(
    'dataset_age_seconds',
    'Time since the data set was published or fetched.',
    ({ fetchedAt, date }) => {
      return (sources.clock() - (fetchedAt ?? Date.parse(date))) / 1_000;
    },
  );
  perDataset('dataset_fetch_failing', '1: the last fetch of the feed failed.', ({ failure }) => {
    return failure === null ? 0 : 1;
  });
  // NaN for built-in data, and so the value is left out.
  perDataset('dataset_old', '1: the feed was last fetched too long ago, or never.', (dataset) => {
    if (dataset.oldAfterMs === null) return Number.NaN;
    return sources.isOld(dataset, sources.clock()) ? 1 : 0;
  });
}

/** These metrics have no value when the records are not shared. */
function registerFleet(sources: MetricSources, registers: Registry[]): void {
  const single = (name: string, help: string, read: (fleet: MeasuredFleet) => number | null) => {
    const gauge: Gauge = new Gauge({
      name: PREFIX + name,
      help,
      aggregator: 'max',
      registers,
      collect() {
        const fleet = sources.fleet();
        const value = fleet && read(fleet);
        gauge.remove();
        if (value !== null) gauge.set(value);
      },
    });
  };
  single('nodes', 'Nodes that share the records and report.', ({ alive }) => alive);
  single(
    'node_issues',
    'What differs between the nodes: clocks, configurations, data.',
    ({ issues }) => issues,
  );
  single('clock_skew_seconds', "How far this node's clock is ahead of the database's.", ({ clockSkewMs }) =>
    clockSkewMs === null ? null : clockSkewMs / 1_000,
  );
}
