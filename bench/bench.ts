import type { Config } from '../src/config/config.ts';
import type { DatasetStore } from '../src/datasets/open-datasets.ts';
import type { Built } from './built.ts';

/** The input of every family of rows. */
export interface Bench {
  readonly rounds: number;
  /**
   * For each round and server. At 100 µs each, 20,000 take two seconds: the clock of `/proc` ticks a hundred times a
   * second.
   */
  readonly requests: number;
  readonly built: Built;
  /** The defaults, DNS off. */
  readonly config: Config;
  readonly datasets: DatasetStore;
}
