import type { Clock } from '../clock.ts';
import type { DatasetsConfig } from '../config/config.ts';
import { readBuiltInFiles } from './built-in-files.ts';
import type { CurrentDatasets, DatasetInfo, Datasets } from './datasets.ts';
import { loadDeviceDatasets } from './device-datasets.ts';
import { loadEmailDatasets } from './email-datasets.ts';
import { NO_IPS } from './ip-ranges.ts';
import { revisionOf } from './manifest.ts';

export interface OpenDatasetsOptions {
  /** Where the built-in files are: `datasets/` of the package. */
  readonly folder: string;
  /** Where fetched feeds are kept. */
  readonly feedsFolder: string;
  readonly config: DatasetsConfig;
  readonly clock: Clock;
}

/** The data sets of a running process. */
export interface DatasetStore extends CurrentDatasets {
  close(): void;
}

export async function openDatasets({ folder }: OpenDatasetsOptions): Promise<DatasetStore> {
  const files = await readBuiltInFiles(folder);
  const info = files.manifest.sets.map(
    ({ files: _, ...set }): DatasetInfo => ({ ...set, fetchedAt: null, failure: null }),
  );
  const unknown = { asn: null, organisation: null, networkClass: null, country: null };
  const current: Datasets = {
    revision: revisionOf(info.map((set) => `${set.name} ${set.revision}`).join('\n')),
    email: loadEmailDatasets(files),
    network: {
      locate: () => unknown,
      tor: NO_IPS,
      vpn: NO_IPS,
      datacenter: NO_IPS,
      proxy: NO_IPS,
      blocklist: NO_IPS,
      relay: NO_IPS,
    },
    device: loadDeviceDatasets(files),
    info,
  };
  return { current, close: () => undefined };
}
