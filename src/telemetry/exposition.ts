import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { DURATION_BOUNDS_MS, type DurationHistogram } from './durations.ts';
import type { Metrics } from './metrics.ts';

/** Values that are read when the metrics are requested. */
export interface MetricSources {
  readonly metrics: Pick<Metrics, 'counters' | 'judging'>;
  /** Lag of the event loop, in milliseconds. */
  readonly lagMs: () => number;
  /** Decisions that wait to be written. */
  readonly recordsQueueLength: () => number;
  readonly status: () => {
    readonly datasets: readonly MeasuredDataset[];
    readonly seesUntrustedForwarding: boolean;
  };
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

export interface MeasuredDataset {
  readonly name: string;
  /** Of the source, ISO 8601. */
  readonly date: string;
  /** For a feed: the last successful fetch, milliseconds since the epoch. */
  readonly fetchedAt: number | null;
  /** For a feed: why the last fetch failed. */
  readonly failure: string | null;
}

export interface Exposition {
  readonly contentType: string;
  /** The current numbers, in the text format of Prometheus. */
  render(): Promise<string>;
}

const PREFIX = 'gatekeeper_';

/**
 * Writes the counters for Prometheus, with the usual numbers of a Node process. These need a sampler of the event loop
 * and an observer of the garbage collector, so the object is made at the first request only. Neither keeps the process
 * running.
 */
export function createExposition(sources: MetricSources): Exposition {
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
  return {
    contentType: registry.contentType,
    render: async () => (await registry.metrics()) + renderJudging(sources.metrics.judging),
  };
}

function registerGauges(sources: MetricSources, registers: Registry[]): void {
  const single = (name: string, help: string, read: () => number) => {
    const gauge: Gauge = new Gauge({
      name: PREFIX + name,
      help,
      registers,
      collect: () => gauge.set(read()),
    });
  };
  single(
    'event_loop_lag_seconds',
    'By which new work is refused: the median of the last half second.',
    () => {
      return sources.lagMs() / 1_000;
    },
  );
  single('records_queue_length', 'Decisions that wait to be written.', sources.recordsQueueLength);
  single('untrusted_forwarding', '1: forwarding headers arrive and no proxy is trusted.', () => {
    return sources.status().seesUntrustedForwarding ? 1 : 0;
  });
  const perDataset = (name: string, help: string, read: (dataset: MeasuredDataset) => number) => {
    const gauge = new Gauge({
      name: PREFIX + name,
      help,
      labelNames: ['dataset'],
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
  // NaN, and so left out, for a feed that was never fetched: it has no age.
  perDataset('dataset_age_seconds', 'Since the data set was published or fetched.', ({ fetchedAt, date }) => {
    return (sources.clock() - (fetchedAt ?? Date.parse(date))) / 1_000;
  });
  perDataset('dataset_fetch_failing', '1: the last fetch of the feed failed.', ({ failure }) => {
    return failure === null ? 0 : 1;
  });
}

/** Written here, because a histogram of prom-client accepts only single durations and takes a microsecond for each. */
function renderJudging(judging: Readonly<Record<string, DurationHistogram>>): string {
  const name = `${PREFIX}judging_seconds`;
  const lines = [`# HELP ${name} How long judging a signup took.`, `# TYPE ${name} histogram`];
  for (const [door, { counts, sumMs }] of Object.entries(judging)) {
    let total = 0;
    for (const [place, count] of counts.entries()) {
      total += count;
      const bound = DURATION_BOUNDS_MS[place];
      const le = bound === undefined ? '+Inf' : String(bound / 1_000);
      lines.push(`${name}_bucket{door="${door}",le="${le}"} ${total}`);
    }
    lines.push(`${name}_sum{door="${door}"} ${sumMs / 1_000}`, `${name}_count{door="${door}"} ${total}`);
  }
  return `\n${lines.join('\n')}\n`;
}
