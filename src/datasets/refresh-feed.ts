import { hash } from 'node:crypto';
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
  /** The number of entries in use now, of any age. */
  readonly entries: number;
  /** The reason of the failure. Null when the refresh succeeded. */
  readonly failure: string | null;
}

export interface RefreshFeedOptions {
  readonly cache: FeedCache;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly signal: AbortSignal;
  /**
   * Whether to accept immediately a list that lost more than half of its entries. Otherwise it is accepted after a day.
   */
  readonly acceptShrunk: boolean;
}

/** The number of entries below which a list may lose half of its entries in one day. */
const MIN_ENTRIES_TO_SHRINK = 100;
const SHRUNK_BELIEVED_AFTER_MS = 86_400_000;

/**
 * Fetches one feed from the first of its URLs that works, and stores it. Never throws: after a failure the copy stays,
 * and the state has the reason and the time. A list that lost more than half of its entries was probably cut off, so it
 * is refused until it has been this short for a day.
 */
export async function refreshFeed(feed: FeedConfig, options: RefreshFeedOptions): Promise<FeedOutcome> {
  const { cache, now } = options;
  const state = await cache.readState(feed);
  try {
    // If the copy is missing, no validator is sent. With a validator, the server would send no content.
    const hasCopy = (await cache.readEntries(feed, state)) !== null;
    const fresh = await fetchFromAny(feed, state, { ...options, hasCopy });
    return outcome(feed, hasCopy && fresh.revision === state.revision ? 'unchanged' : 'fetched', fresh);
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    const shrunkSince = error instanceof ShrunkError ? (state.shrunkSince ?? now) : state.shrunkSince;
    const failed: FeedState = { ...state, failure, failedAt: now, shrunkSince };
    // If the disk caused the failure, this write fails too. The outcome still reports the failure.
    await cache.writeHistory(feed, failed).catch(() => undefined);
    return outcome(feed, 'failed', failed);
  }
}

class ShrunkError extends FeedError {}

interface FetchOptions extends RefreshFeedOptions {
  readonly hasCopy: boolean;
}

/** The feed's own URL comes first, then its mirrors. A failure of the disk is not a failure of a URL. */
async function fetchFromAny(feed: FeedConfig, state: FeedState, options: FetchOptions): Promise<FeedState> {
  const failures: FeedFailure[] = [];
  for (const url of [feed.url, ...feed.mirrors]) {
    try {
      return await fetchAndStore(feed, state, { ...options, url });
    } catch (error) {
      if (!(error instanceof FeedError)) throw error;
      failures.push({ host: new URL(url).host, error });
      if (options.signal.aborted) break;
    }
  }
  throw joined(failures);
}

interface FeedFailure {
  readonly host: string;
  readonly error: FeedError;
}

function joined(failures: readonly FeedFailure[]): FeedError {
  const [first, ...others] = failures;
  if (first && others.length === 0) return first.error;
  const message = failures.map(({ host, error }) => `${host}: ${error.message}`).join(' ');
  const hasShrunk = failures.some(({ error }) => error instanceof ShrunkError);
  return hasShrunk ? new ShrunkError(message) : new FeedError(message);
}

/** Validators are sent only to the URL that they came from. */
function mirrorOf(feed: FeedConfig, url: string): string | null {
  return url === feed.url ? null : hash('sha256', url, 'hex');
}

async function fetchAndStore(
  feed: FeedConfig,
  state: FeedState,
  { cache, now, signal, acceptShrunk, hasCopy, url }: FetchOptions & { readonly url: string },
): Promise<FeedState> {
  const mirror = mirrorOf(feed, url);
  const validators = hasCopy && state.mirror === mirror ? state : null;
  const fetched: FetchedFeed = await fetchFeed(url, { validators, signal });
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
      `It has ${entries.length} entries, but the copy in use has ${state.entries}. If that is right, run \`gatekeeper data update --accept-shrunk\`, or wait a day.`,
    );
  }
  const { etag, lastModified } = fetched;
  return cache.writeEntries(feed, entries, {
    origin: state.origin,
    etag,
    lastModified,
    mirror,
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
