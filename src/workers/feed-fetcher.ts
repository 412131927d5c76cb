import type { DatasetsConfig } from '../config/config.ts';
import { type DatasetStore, type OpenDatasetsOptions, openDatasets } from '../datasets/open-datasets.ts';

/** Fetches feeds for all workers, which load the stored copies. */
export interface FeedFetcher {
  /**
   * @returns a function that applies this configuration to all later fetches. That function cannot fail.
   * @throws {Error} The message names the file that cannot be used.
   */
  prepare(config: DatasetsConfig): Promise<() => void>;
  close(): void;
}

/** The data sets are opened with the first feed. Without feeds, this process does not need their memory. */
export function createFeedFetcher(options: Omit<OpenDatasetsOptions, 'config'>): FeedFetcher {
  let store: DatasetStore | null = null;
  return {
    async prepare(config) {
      if (store) return await store.prepare(config);
      if (config.feeds.length === 0) return () => {};
      const opened = await openDatasets({ ...options, config });
      return () => {
        store = opened;
        opened.startRefreshing();
      };
    },
    close: () => store?.close(),
  };
}
