import type { IpAddress } from '../addresses/ip-address.ts';

/**
 * A set of domain names as lower-case A-labels. Only exact names match, so the caller also looks up the parent domains.
 */
export interface DomainSet {
  readonly size: number;
  has(domain: string): boolean;
}

/** A set of IP address ranges, IPv4 and IPv6. */
export interface IpSet {
  /** The number of ranges. */
  readonly size: number;
  has(ip: IpAddress): boolean;
}

export interface EmailDatasets {
  /** Throwaway services: curated lists, names that at least two of the wide lists contain, and feeds. */
  readonly disposable: DomainSet;
  /** Names that only one wide list contains. This is weaker evidence. */
  readonly suspected: DomainSet;
  /** Hosts with free subdomains that throwaway services use: `cc.cd`. */
  readonly freeSubdomainHosts: DomainSet;
  /** Providers that are open to everyone: gmail.com. */
  readonly freeProviders: DomainSet;
  /**
   * Schools and their suffixes: `mit.edu`, `ac.uk`. The host and all its parent domains are looked up, including public
   * suffixes.
   */
  readonly academic: DomainSet;
  /**
   * Government domains: `gov`, `gov.uk`. The host and all its parent domains are looked up, including public suffixes.
   */
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
  /** The release times in milliseconds since the epoch, one for each version. */
  readonly releasedAt: readonly number[];
}

export interface DeviceDatasets {
  /** Keyed by MDN's names: chrome, chrome_android, edge, firefox, firefox_android, opera, safari, safari_ios, samsunginternet_android, webview_android. */
  readonly browsers: ReadonlyMap<string, BrowserReleases>;
  /**
   * The time at which the table was made, in milliseconds since the epoch. A newer browser than those of the table is
   * possible.
   */
  readonly asOf: number;
}

/** One row of `gatekeeper data status`. */
export interface DatasetInfo {
  readonly name: string;
  readonly source: string;
  readonly licence: string;
  /** The date of the source in ISO 8601. */
  readonly date: string;
  readonly entries: number;
  /** The first 12 hex digits of the SHA-256 of the content. */
  readonly revision: string;
  /** For feeds: the time of the last successful fetch, in milliseconds since the epoch. Null for built-in data. */
  readonly fetchedAt: number | null;
  /** For feeds: the reason why the last fetch failed. Null when it succeeded. */
  readonly failure: string | null;
  /** For feeds: the age from which a copy counts as old, in milliseconds. Null for built-in data. */
  readonly oldAfterMs: number | null;
}

/** One consistent state of all data sets. It never changes: a refresh creates a new state. */
export interface Datasets {
  /** A hash of the revisions of all sets. */
  readonly revision: string;
  readonly email: EmailDatasets;
  readonly network: NetworkDatasets;
  readonly device: DeviceDatasets;
  readonly info: readonly DatasetInfo[];
}

/** Holds the current state. When a feed changes, the whole state is replaced. */
export interface CurrentDatasets {
  readonly current: Datasets;
}
