export const FEED_KINDS = ['disposable', 'tor', 'vpn', 'datacenter', 'proxy', 'blocklist', 'relay'] as const;

/** `auto` chooses between `lines` and `json`. A list of columns needs an explicit format. */
export const FEED_FORMATS = ['auto', 'lines', 'json', 'csv'] as const;

/** A public list that `datasets.feeds` can name: one entry of `data/sources.yaml`. */
export interface FeedSource {
  readonly name: string;
  readonly kind: (typeof FEED_KINDS)[number];
  readonly format: (typeof FEED_FORMATS)[number];
  /** URLs of the same list, at least one. They are tried in this order. */
  readonly urls: readonly string[];
  readonly publisher: string;
  readonly licence: string;
  /** How often the publisher renews the list, in words. */
  readonly renewed: string;
  readonly purpose: string;
}

/** A catalogue as one line for messages. */
export function namesOf(sources: readonly FeedSource[]): string {
  return sources.map(({ name }) => name).join(', ');
}
