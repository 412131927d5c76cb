import { AggregatorRegistry, Registry } from 'prom-client';
import type { Exposition, MetricsSnapshot } from './exposition.ts';
import type { MeasuredMetric } from './measured-metric.ts';

/** The metrics of several processes as one. */
export interface SummedMetrics {
  /** Stores the newest numbers of a process. */
  update(source: string, snapshot: MetricsSnapshot): void;
  /** The process has ended. Its last counts stay in the sums, so that no counter decreases. */
  retire(source: string): void;
  readonly exposition: Exposition;
}

/**
 * Adds up counters and histograms. For a gauge, its definition selects the sum, the largest or the smallest value.
 */
export function createSummedMetrics(): SummedMetrics {
  const newest = new Map<string, MetricsSnapshot>();
  let ended: Promise<MetricsSnapshot> = Promise.resolve([]);

  return {
    update(source, snapshot) {
      newest.set(source, snapshot);
    },
    retire(source) {
      const last = newest.get(source);
      newest.delete(source);
      if (last) ended = ended.then((before) => sumOf([before, last.filter(isCumulative)]));
    },
    exposition: {
      contentType: Registry.PROMETHEUS_CONTENT_TYPE,
      render: async () => {
        // Both are read at one moment: a process that ends in between would move from one to the other.
        const [living, past] = [[...newest.values()], ended];
        return await add([...living, await past]).metrics();
      },
    },
  };
}

function add(snapshots: readonly MetricsSnapshot[]): Registry {
  return AggregatorRegistry.aggregate([...snapshots]);
}

/** prom-client names types in text, and declares them as numbers. */
async function sumOf(snapshots: readonly MetricsSnapshot[]): Promise<MetricsSnapshot> {
  return (await add(snapshots).getMetricsAsJSON()) as unknown as MetricsSnapshot;
}

function isCumulative({ type }: MeasuredMetric): boolean {
  return type === 'counter' || type === 'histogram';
}
