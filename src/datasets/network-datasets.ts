import type { DatasetsConfig, FeedKind } from '../config/config.ts';
import type { BuiltInFiles } from './built-in-files.ts';
import type { DatasetInfo, IpSet, NetworkDatasets } from './datasets.ts';
import { unionOfIpSets } from './ip-ranges.ts';
import { loadNetworkTable } from './network-table.ts';

/** The built-in network data and the user's files, before feeds are laid over them. */
export interface LoadedNetwork {
  /** About the user's files; the built-in ones stand in the manifest. */
  readonly info: readonly DatasetInfo[];
  withFeeds(ipSets: (kind: FeedKind) => readonly IpSet[]): NetworkDatasets;
}

export function loadNetworkDatasets(files: BuiltInFiles, _config: DatasetsConfig): LoadedNetwork {
  const bytes = (name: string) => new Uint8Array(files.content(name));
  const table = loadNetworkTable(bytes('networks.bin'), bytes('countries.bin'));
  return {
    info: [],
    withFeeds: (ipSets) => ({
      locate: table.locate,
      tor: unionOfIpSets(ipSets('tor')),
      vpn: unionOfIpSets(ipSets('vpn')),
      datacenter: unionOfIpSets(ipSets('datacenter')),
      proxy: unionOfIpSets(ipSets('proxy')),
      blocklist: unionOfIpSets(ipSets('blocklist')),
      relay: unionOfIpSets(ipSets('relay')),
    }),
  };
}
