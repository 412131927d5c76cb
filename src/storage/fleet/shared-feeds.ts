import type { FeedCache } from '../../datasets/feed-cache.ts';
import type { Storage } from '../storage.ts';
import { StorageError } from '../storage-error.ts';

/**
 * Copies of feeds in records that are still being opened, and the clock by which feeds are due. Built-in data is read
 * at the same time, so only a configured feed waits for the records.
 */
export function sharedFeeds(opening: Promise<Storage>): {
  readonly feedCache: FeedCache;
  readonly time: () => Promise<number>;
} {
  const copies = async (): Promise<FeedCache> => {
    const { fleet } = await opening;
    if (!fleet) throw new StorageError('Only PostgreSQL keeps copies of feeds.');
    return fleet.feedCopies;
  };
  return {
    feedCache: {
      readState: async (feed) => (await copies()).readState(feed),
      readEntries: async (feed, state) => (await copies()).readEntries(feed, state),
      writeHistory: async (feed, state) => (await copies()).writeHistory(feed, state),
      writeEntries: async (feed, entries, state) => (await copies()).writeEntries(feed, entries, state),
    },
    time: async () => (await opening).now(),
  };
}
