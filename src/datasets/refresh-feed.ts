import type { FeedConfig } from '../config/config.ts';
import type { FeedCache, FeedState } from './feed-cache.ts';
import { FeedError } from './feed-error.ts';
import { type FetchedFeed, fetchFeed } from './fetch-feed.ts';
import { parseFeed } from './parse-feed.ts';

/** The result of refreshing one feed. */
export interface FeedOutcome {
  readonly name: string;
  readonly kind: FeedConfig['kind'];
  readonly state: 'fetched' | 'unchanged' | 'failed';
  /** Entries in use now, of any age. */
  readonly entries: number;
  /** Why it failed; null when it succeeded. */
  readonly failure: string | null;
}

export interface RefreshFeedOptions {
  readonly cache: FeedCache;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly signal: AbortSignal;
  /** Accepts a list that lost more than half of its entries immediately, without waiting a day. */
  readonly acceptShrunk: boolean;
}

/** A short list may lose half of its entries in one day. */
const MIN_ENTRIES_TO_SHRINK = 100;
const SHRUNK_BELIEVED_AFTER_MS = 86_400_000;

/**
 * Fetches one feed and stores it. Never throws: on a failure the copy stays, and the state says why and when. A list
 * that lost more than half of its entries was probably cut off, so it is refused until it has been this short for a
 * day.
 */
export async function refreshFeed(feed: FeedConfig, options: RefreshFeedOptions): Promise<FeedOutcome> {
  const { cache, now } = options;
  const state = await cache.readState(feed);
  try {
    // With a validator but no copy, the server would send no content.
    const hasCopy = (await cache.readEntries(feed, state)) !== null;
    const fresh = await fetchAndStore(feed, state, { ...options, hasCopy });
    return outcome(feed, hasCopy && fresh.revision === state.revision ? 'unchanged' : 'fetched', fresh);
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    const shrunkSince = error instanceof ShrunkError ? (state.shrunkSince ?? now) : state.shrunkSince;
    const failed: FeedState = { ...state, failure, failedAt: now, shrunkSince };
    // When the disk caused the failure, this write fails too; the outcome still reports it.
    await cache.writeHistory(feed, failed).catch(() => undefined);
    return outcome(feed, 'failed', failed);
  }
}

class ShrunkError extends FeedError {}

async function fetchAndStore(
  feed: FeedConfig,
  state: FeedState,
  { cache, now, signal, acceptShrunk, hasCopy }: RefreshFeedOptions & { readonly hasCopy: boolean },
): Promise<FeedState> {
  const fetched: FetchedFeed = await fetchFeed(feed.url, { validators: hasCopy ? state : null, signal });
  const fine = { failure: null, failedAt: null, fetchedAt: now };
  if (fetched.state === 'unchanged') {
    const confirmed = { ...state, ...fine };
    await cache.writeHistory(feed, confirmed);
    return confirmed;
  }
  const { entries } = await parseFeed(fetched.body, feed);
  const believed =
    acceptShrunk || (state.shrunkSince !== null && now - state.shrunkSince >= SHRUNK_BELIEVED_AFTER_MS);
  if (hasCopy && hasShrunk(state.entries, entries.length) && !believed) {
    throw new ShrunkError(
      `It has ${entries.length} entries where the copy in use has ${state.entries}. If that is right, run \`gatekeeper data update --accept-shrunk\`, or wait a day.`,
    );
  }
  const { etag, lastModified } = fetched;
  return cache.writeEntries(feed, entries, {
    origin: state.origin,
    etag,
    lastModified,
    shrunkSince: null,
    ...fine,
  });
}

function hasShrunk(before: number, after: number): boolean {
  return before >= MIN_ENTRIES_TO_SHRINK && after * 2 < before;
}

function outcome(feed: FeedConfig, state: FeedOutcome['state'], of: FeedState): FeedOutcome {
  return { name: feed.name, kind: feed.kind, state, entries: of.entries, failure: of.failure };
}
