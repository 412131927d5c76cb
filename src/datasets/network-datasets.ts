import type { DatasetsConfig, FeedKind } from '../config/config.ts';
import type { BuiltInFiles } from './built-in-files.ts';
import type { DatasetInfo, IpSet, NetworkDatasets } from './datasets.ts';
import { createIpRangesBuilder, unionOfIpSets } from './ip-ranges.ts';
import { openNetworkFiles } from './network-files.ts';
import { loadNetworkTable, type NetworkTable } from './network-table.ts';
import { RELAY_RANGES } from './networks/relay-ranges.generated.ts';

/** The built-in network data and the user's files, without feeds. */
export interface LoadedNetwork {
  /** Information about the user's files. The manifest has the information about built-in files. */
  readonly info: readonly DatasetInfo[];
  withFeeds(ipSets: (kind: FeedKind) => readonly IpSet[]): NetworkDatasets;
}

/** @throws {Error} that names the damaged file. */
export function readNetworkTable(files: BuiltInFiles): NetworkTable {
  return files.read('networks.bin', (networks) =>
    files.read('countries.bin', (countries) =>
      loadNetworkTable(new Uint8Array(networks), new Uint8Array(countries)),
    ),
  );
}

/** @throws {Error} that names the user's unusable file. */
export function loadNetworkDatasets(table: NetworkTable, config: DatasetsConfig): LoadedNetwork {
  const own = openNetworkFiles(config, table);
  const relayRanges = readRelayRanges();
  const hasOwnFacts = config.asn_mmdb !== null || config.country_mmdb !== null;
  return {
    info: own.info,
    withFeeds: (ipSets) => ({
      locate: hasOwnFacts ? (ip) => own.refine(ip, table.locate(ip)) : table.locate,
      tor: unionOfIpSets([own.anonymous.tor, ...ipSets('tor')]),
      vpn: unionOfIpSets([own.anonymous.vpn, ...ipSets('vpn')]),
      datacenter: unionOfIpSets([own.anonymous.datacenter, ...ipSets('datacenter')]),
      proxy: unionOfIpSets([own.anonymous.proxy, ...ipSets('proxy')]),
      blocklist: unionOfIpSets(ipSets('blocklist')),
      relay: unionOfIpSets([relayRanges, ...ipSets('relay')]),
    }),
  };
}

/** Exits of relays inside the networks of clouds. Elsewhere, these networks are not relays. */
function readRelayRanges(): IpSet {
  const builder = createIpRangesBuilder();
  for (const range of RELAY_RANGES) builder.add(range);
  return builder.build();
}
