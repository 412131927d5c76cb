import { Gauge, type Registry } from 'prom-client';
import type { MetricSources } from './metric-sources.ts';

type EngineSources = Pick<MetricSources, 'engines' | 'countersMemory' | 'partitionsAhead' | 'jobs'>;

/** The state of the engines, and which jobs this node runs on them. */
export function registerEngines(sources: EngineSources, prefix: string, registers: Registry[]): void {
  const engines = new Gauge({
    name: `${prefix}engine_up`,
    help: '1: the engine answers. counters: 0 while this node counts alone.',
    labelNames: ['engine'],
    aggregator: 'min',
    registers,
    async collect() {
      for (const [engine, isUp] of Object.entries(await sources.engines()))
        engines.set({ engine }, isUp ? 1 : 0);
    },
  });
  const single = (
    name: string,
    help: string,
    {
      aggregator,
      read,
    }: {
      readonly aggregator: 'min' | 'max';
      readonly read: () => Promise<number | null> | number | null;
    },
  ) => {
    const gauge: Gauge = new Gauge({
      name: prefix + name,
      help,
      aggregator,
      registers,
      async collect() {
        const value = await read();
        gauge.remove();
        if (value !== null) gauge.set(value);
      },
    });
  };
  single('counters_memory_ratio', 'The used share of the memory that shared counters may use; 0: no limit.', {
    aggregator: 'max',
    read: () => sources.countersMemory()?.usedShare ?? null,
  });
  single(
    'counters_lifetimes_shortened',
    '1: shared counters are nearly full, so that rare keys live shorter.',
    {
      aggregator: 'max',
      read: () => {
        const memory = sources.countersMemory();
        return memory && (memory.isNearlyFull ? 1 : 0);
      },
    },
  );
  single('partitions_ahead', 'Days after today for which a partition of decisions exists.', {
    aggregator: 'min',
    read: sources.partitionsAhead,
  });
  const jobs = new Gauge({
    name: `${prefix}job_held`,
    help: '1: this node runs the job.',
    labelNames: ['task'],
    aggregator: 'max',
    registers,
    collect() {
      jobs.reset();
      for (const { task, isHeld } of sources.jobs()) jobs.set({ task }, isHeld ? 1 : 0);
    },
  });
}
