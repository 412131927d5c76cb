export const FEED_KINDS = ['disposable', 'tor', 'vpn', 'datacenter', 'proxy', 'blocklist', 'relay'] as const;

/** `auto` decides between `lines` and `json`; a list of columns needs its format. */
export const FEED_FORMATS = ['auto', 'lines', 'json', 'csv'] as const;

/** A public list that `datasets.feeds` can name: one entry of `data/sources.yaml`. */
export interface FeedSource {
  readonly name: string;
  readonly kind: (typeof FEED_KINDS)[number];
  readonly format: (typeof FEED_FORMATS)[number];
  /** Addresses of the same list, at least one, in the order in which they are asked. */
  readonly urls: readonly string[];
  readonly publisher: string;
  readonly licence: string;
  /** How often the publisher renews it, in words. */
  readonly renewed: string;
  readonly purpose: string;
}

/** A catalogue as one line for messages. */
export function namesOf(sources: readonly FeedSource[]): string {
  return sources.map(({ name }) => name).join(', ');
}
