import { join } from 'node:path';
import type { Judge } from '../assessment/judge.ts';
import type { Config } from '../config/config.ts';
import { openConfiguredJudge } from '../configured-judge.ts';
import { createMemoryCounters } from '../counters/memory-counters.ts';
import { DATASETS_FOLDER } from '../datasets/datasets-folder.ts';
import { type DatasetStore, openDatasets } from '../datasets/open-datasets.ts';
import { membersPerKeyFor } from '../processors/velocity/members-per-key.ts';
import { isPostgresUrl } from '../storage/engine/postgres-url.ts';
import { openStorage } from '../storage/open-storage.ts';
import { storageFolderOf } from '../storage/storage-folder.ts';

/** Fixed: the same history and policy give the same result, and two policies are compared on equal terms. */
const SEED = { high: 0x9e3779b9, low: 0x7f4a7c15 };

/**
 * A judge for past signups, with its own counters and without DNS. Today's answers of the DNS may be wrong for the
 * past, and 100,000 look-ups would take an hour.
 */
export function openOfflineJudge(
  config: Config,
  datasets: DatasetStore,
  warn: (facts: object, message: string) => void,
): { readonly judge: Judge; close(): void } {
  const { scoring } = config;
  const counters = createMemoryCounters({ membersPerKey: membersPerKeyFor(scoring.velocity), seed: SEED });
  const configured = openConfiguredJudge({ datasets, counters, log: { warn } });
  const offline = { ...scoring, dns: { ...scoring.dns, enabled: false }, dnsbl: [] };
  return { judge: configured.judgeFor({ ...config, scoring: offline }), close: configured.close };
}

/** Loads the data sets as `gatekeeper serve` does. With PostgreSQL, the copies of feeds are in the records. */
export async function openConfiguredDatasets({ storage, datasets }: Config): Promise<DatasetStore> {
  const url = storage.records;
  const records =
    isPostgresUrl(url) && datasets.feeds.length > 0 ? await openStorage({ url, clock: Date.now }) : null;
  try {
    const store = await openDatasets({
      folder: DATASETS_FOLDER,
      feedsFolder: join(storageFolderOf(url), 'feeds'),
      ...(records?.fleet && { feedCache: records.fleet.feedCopies, time: records.now }),
      config: datasets,
      clock: Date.now,
    });
    const { close } = store;
    return Object.assign(store, {
      close() {
        close();
        void records?.close();
      },
    });
  } catch (error) {
    await records?.close();
    throw error;
  }
}
