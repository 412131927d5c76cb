import type { Config } from '../src/config/config.ts';
import type { DatasetStore } from '../src/datasets/open-datasets.ts';
import type { Built } from './built.ts';

/** What every family of rows is given. */
export interface Bench {
  readonly rounds: number;
  /** A round and server. At 100 µs each, 20,000 are two seconds: the clock of `/proc` ticks a hundred times in one. */
  readonly requests: number;
  readonly built: Built;
  /** The defaults, DNS off. */
  readonly config: Config;
  readonly datasets: DatasetStore;
}
