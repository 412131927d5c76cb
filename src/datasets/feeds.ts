import type { FeedConfig, FeedKind } from '../config/config.ts';
import type { DatasetInfo, DomainSet, IpSet } from './datasets.ts';
import { createDomainSet, createDomainTableBuilder } from './domain-set.ts';
import type { FeedCache, FeedState } from './feed-cache.ts';
import { eachInTurns } from './in-turns.ts';
import { createIpRangesBuilder } from './ip-ranges.ts';
import { type FeedOutcome, refreshFeed } from './refresh-feed.ts';

/** The configured feeds, as their last good copies. */
export interface Feeds {
  /** Reads the changed copies. Returns whether any copy changed. */
  load(): Promise<boolean>;
  /** Fetches these feeds and loads the new copies. */
  refresh(
    feeds: readonly FeedConfig[],
    options: { readonly acceptShrunk: boolean; readonly now: number },
  ): Promise<FeedOutcome[]>;
  /** The feeds that must be fetched now, with a fetch every `intervalMs`. */
  due(intervalMs: number, now: number): FeedConfig[];
  domainSets(): readonly DomainSet[];
  ipSets(kind: FeedKind): readonly IpSet[];
  info(): readonly DatasetInfo[];
}

export interface OpenFeedsOptions {
  readonly cache: FeedCache;
  readonly feeds: readonly FeedConfig[];
  /** The age from which a copy counts as old, in milliseconds. */
  readonly oldAfterMs: number;
  /** Stops running fetches. */
  readonly signal: AbortSignal;
  /** Names that no feed can mark as throwaway services. */
  readonly isProtected: (domain: string) => boolean;
}

/** A feed in memory. By its kind, one of the two sets is empty. */
interface LoadedFeed {
  readonly state: FeedState;
  readonly domains: DomainSet | null;
  readonly ips: IpSet | null;
}

const CONCURRENT_FETCHES = 4;
const COPY_READS = 5;
/** The interval after a failure. A failed feed is fetched again sooner. */
const RETRY_MS = 600_000;

export function openFeeds(options: OpenFeedsOptions): Feeds {
  const { cache, feeds, oldAfterMs, signal, isProtected } = options;
  const loaded = new Map<FeedConfig, LoadedFeed>();

  async function load(): Promise<boolean> {
    const changes = await Promise.all(feeds.map((feed) => loadOne(feed)));
    return changes.includes(true);
  }

  async function loadOne(feed: FeedConfig): Promise<boolean> {
    const before = loaded.get(feed);
    const { state, entries } = await readCopy(cache, feed, before?.state.revision);
    if (entries === 'loaded' && before) {
      loaded.set(feed, { ...before, state });
      return before.state.fetchedAt !== state.fetchedAt || before.state.failure !== state.failure;
    }
    // If a copy cannot be read, the copy in memory stays in use.
    if (!Array.isArray(entries)) loaded.set(feed, before ?? withoutCopy(state));
    else loaded.set(feed, await toSet(feed, state, entries, isProtected));
    return true;
  }

  return {
    load,
    async refresh(which, { acceptShrunk, now }) {
      const queue = [...which];
      const outcomes = new Map<FeedConfig, FeedOutcome>();
      const work = async () => {
        for (let feed = queue.shift(); feed; feed = queue.shift()) {
          outcomes.set(feed, await refreshFeed(feed, { cache, now, signal, acceptShrunk }));
        }
      };
      await Promise.all(Array.from({ length: CONCURRENT_FETCHES }, work));
      await load();
      return which.flatMap((feed) => outcomes.get(feed) ?? []);
    },
    due: (intervalMs, now) => feeds.filter((feed) => now >= dueAt(loaded.get(feed)?.state, intervalMs)),
    domainSets: () => feeds.flatMap((feed) => loaded.get(feed)?.domains ?? []),
    ipSets: (kind) => feeds.flatMap((feed) => (feed.kind === kind ? (loaded.get(feed)?.ips ?? []) : [])),
    info: () => feeds.map((feed) => ({ ...infoOf(feed, loaded.get(feed)?.state), oldAfterMs })),
  };
}

/** Another process may replace the copy between the two reads. Then both are read again. */
async function readCopy(
  cache: FeedCache,
  feed: FeedConfig,
  loadedRevision: string | null | undefined,
): Promise<{ state: FeedState; entries: readonly string[] | 'loaded' | 'missing' }> {
  for (let tries = 1; ; tries++) {
    const state = await cache.readState(feed);
    const isNew = state.revision === null && state.fetchedAt === null;
    if (state.revision === loadedRevision && (isNew || state.revision !== null)) {
      return { state, entries: 'loaded' };
    }
    const entries = isNew ? [] : await cache.readEntries(feed, state);
    if (entries !== null) return { state, entries };
    if (tries === COPY_READS) return { state, entries: 'missing' };
  }
}

async function toSet(
  { kind }: FeedConfig,
  state: FeedState,
  entries: readonly string[],
  isProtected: (domain: string) => boolean,
): Promise<LoadedFeed> {
  if (kind === 'disposable') {
    const builder = createDomainTableBuilder(entries.length);
    let size = 0;
    await eachInTurns(entries, (domain) => {
      if (isProtected(domain)) return;
      builder.add(domain);
      size += 1;
    });
    return { state, domains: createDomainSet(builder.table, size), ips: null };
  }
  const ranges = createIpRangesBuilder();
  await eachInTurns(entries, ranges.add);
  return { state, domains: null, ips: ranges.build() };
}

/** The state without a copy. The feed counts as never fetched, so it is fetched at once. */
function withoutCopy(state: FeedState): LoadedFeed {
  const failure = 'The stored copy is missing or damaged; it is fetched again.';
  return {
    state: { ...state, revision: null, entries: 0, fetchedAt: null, failure },
    domains: null,
    ips: null,
  };
}

function dueAt(state: FeedState | undefined, intervalMs: number): number {
  if (state?.failedAt != null) return state.failedAt + Math.min(intervalMs, RETRY_MS);
  return state?.fetchedAt == null ? Number.NEGATIVE_INFINITY : state.fetchedAt + intervalMs;
}

function infoOf(feed: FeedConfig, state: FeedState | undefined): Omit<DatasetInfo, 'oldAfterMs'> {
  const fetchedAt = state?.fetchedAt ?? null;
  return {
    name: feed.name,
    source: withoutSecrets(feed.url),
    licence: feed.licence ?? 'as its source says',
    date: fetchedAt === null ? 'never' : new Date(fetchedAt).toISOString().slice(0, 10),
    entries: state?.entries ?? 0,
    revision: state?.revision ?? '',
    fetchedAt,
    failure: state?.failure ?? null,
  };
}

/** The URL for printing: without user, password and query. The query may contain a licence key. */
function withoutSecrets(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return `${origin}${pathname}${search === '' ? '' : '?…'}`;
}
