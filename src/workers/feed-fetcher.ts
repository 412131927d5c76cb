import type { DatasetsConfig } from '../config/config.ts';
import { type DatasetStore, type OpenDatasetsOptions, openDatasets } from '../datasets/open-datasets.ts';

/** Fetches feeds for all workers, which load the stored copies. */
export interface FeedFetcher {
  /**
   * @returns a function that fetches by this configuration from now on. It cannot fail.
   * @throws {Error} that names the unusable file.
   */
  prepare(config: DatasetsConfig): Promise<() => void>;
  close(): void;
}

/** Opens the data sets with the first feed: without one, this process needs none of their memory. */
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
