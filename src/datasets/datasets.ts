import type { IpAddress } from '../addresses/ip-address.ts';

/** A set of lower-case A-label names. Exact: the caller also looks up the parents. */
export interface DomainSet {
  readonly size: number;
  has(domain: string): boolean;
}

/** A set of address ranges of both families. */
export interface IpSet {
  /** Number of ranges. */
  readonly size: number;
  has(ip: IpAddress): boolean;
}

export interface EmailDatasets {
  /** Throwaway services: curated lists, names that at least two of the wide lists contain, and feeds. */
  readonly disposable: DomainSet;
  /** Names in only one wide list: weaker evidence. */
  readonly suspected: DomainSet;
  /** Hosts that give free subdomains, which throwaway services use: `cc.cd`. */
  readonly freeSubdomainHosts: DomainSet;
  /** Open to everyone: gmail.com. */
  readonly freeProviders: DomainSet;
  /** Schools and their suffixes: `mit.edu`, `ac.uk`. Matched from the host upwards, with public suffixes. */
  readonly academic: DomainSet;
  /** Matched from the host upwards, with public suffixes: `gov`, `gov.uk`. */
  readonly government: DomainSet;
  /** Forwarding services that hide the mailbox for privacy. */
  readonly relays: DomainSet;
  /** Lower-case local parts of shared mailboxes: info, admin. */
  readonly roles: ReadonlySet<string>;
}

/** The use of a network. Null when nothing is known. */
export type NetworkClass = 'hosting' | 'vpn' | 'relay' | 'mobile' | 'access' | 'education' | 'business';

export interface NetworkFacts {
  readonly asn: number | null;
  readonly organisation: string | null;
  readonly networkClass: NetworkClass | null;
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null;
}

export interface NetworkDatasets {
  locate(ip: IpAddress): NetworkFacts;
  readonly tor: IpSet;
  readonly vpn: IpSet;
  readonly datacenter: IpSet;
  readonly proxy: IpSet;
  readonly blocklist: IpSet;
  readonly relay: IpSet;
}

/** The releases of one browser, oldest first. */
export interface BrowserReleases {
  /** Major versions, ascending. */
  readonly versions: readonly number[];
  /** Milliseconds since the epoch, one for each version. */
  readonly releasedAt: readonly number[];
}

export interface DeviceDatasets {
  /** Keyed by MDN's names: chrome, chrome_android, edge, firefox, firefox_android, opera, safari, safari_ios, samsunginternet_android, webview_android. */
  readonly browsers: ReadonlyMap<string, BrowserReleases>;
  /** When the table was made: a browser newer than this is possible. Milliseconds since the epoch. */
  readonly asOf: number;
}

/** One row of `gatekeeper data status`. */
export interface DatasetInfo {
  readonly name: string;
  readonly source: string;
  readonly licence: string;
  /** Of the source, ISO 8601 date. */
  readonly date: string;
  readonly entries: number;
  /** First 12 hex digits of the SHA-256 of the content. */
  readonly revision: string;
  /** For feeds: the last successful fetch, milliseconds since the epoch; null for built-in data. */
  readonly fetchedAt: number | null;
  /** For feeds: why the last fetch failed; null when it succeeded. */
  readonly failure: string | null;
  /** For feeds: the age from which a copy is old, in milliseconds; null for built-in data. */
  readonly oldAfterMs: number | null;
}

/** One consistent state of all data sets. Immutable: a refresh makes a new one. */
export interface Datasets {
  /** Hash over the revisions of all sets. */
  readonly revision: string;
  readonly email: EmailDatasets;
  readonly network: NetworkDatasets;
  readonly device: DeviceDatasets;
  readonly info: readonly DatasetInfo[];
}

/** Holds the current state; a feed replaces it as a whole. */
export interface CurrentDatasets {
  readonly current: Datasets;
}
