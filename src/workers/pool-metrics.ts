import type { MetricsSnapshot } from '../telemetry/exposition.ts';
import { createSummedMetrics } from '../telemetry/summed-metrics.ts';
import type { Worker } from './worker-pool.ts';

/** Adds up the metrics of the parent and all workers, as if they were one process. */
export interface PoolMetrics {
  /** The sums, in the text format of Prometheus. */
  render(): Promise<string>;
  /** Keeps the counts of a worker that has ended. */
  ended(worker: Worker): void;
  close(): void;
}

export interface PoolMetricsOptions {
  readonly workers: () => readonly Worker[];
  /** The metrics of the parent. */
  readonly own: () => Promise<MetricsSnapshot>;
}

/** Counts that a worker makes between its last answer and its sudden end are lost. */
const EVERY_MS = 1_000;
/** When a worker is busy for longer than this, its last known numbers are used. */
const PATIENCE_MS = 1_000;

export function createPoolMetrics({ workers, own }: PoolMetricsOptions): PoolMetrics {
  const sum = createSummedMetrics();
  let asking: Promise<void> | null = null;

  async function ask(): Promise<void> {
    const answers = workers().map(async (worker) => {
      const snapshot = await worker.channel.call('measure', null);
      if (workers().includes(worker)) sum.update(worker.name, snapshot);
    });
    const late = new Promise<void>((resolve) => setTimeout(resolve, PATIENCE_MS).unref());
    sum.update('parent', await own());
    // A worker that ends does not answer. `ended` keeps its last answer.
    await Promise.race([Promise.allSettled(answers), late]);
  }

  function askOnce(): Promise<void> {
    asking ??= ask().finally(() => {
      asking = null;
    });
    return asking;
  }

  const timer = setInterval(() => void askOnce(), EVERY_MS);
  return {
    async render() {
      await askOnce();
      return await sum.exposition.render();
    },
    ended: (worker) => sum.retire(worker.name),
    close: () => clearInterval(timer),
  };
}
