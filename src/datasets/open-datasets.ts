import type { Clock } from '../clock.ts';
import type { DatasetsConfig, FeedConfig } from '../config/config.ts';
import { type BuiltInFiles, readBuiltInFiles } from './built-in-files.ts';
import type { CurrentDatasets, DatasetInfo, Datasets, DomainSet } from './datasets.ts';
import { loadDeviceDatasets } from './device-datasets.ts';
import { unionOfDomainSets } from './domain-set.ts';
import { type BuiltInEmail, loadEmailDatasets } from './email-datasets.ts';
import { oldAfter } from './feed-age.ts';
import { type FeedCache, openFeedCache } from './feed-cache.ts';
import { type Feeds, openFeeds } from './feeds.ts';
import { revisionOf } from './manifest.ts';
import { type LoadedNetwork, loadNetworkDatasets, readNetworkTable } from './network-datasets.ts';
import type { FeedOutcome } from './refresh-feed.ts';

export interface OpenDatasetsOptions {
  /** The folder of the built-in files: `datasets/` of the package. */
  readonly folder: string;
  /** The folder of fetched feeds: inside the storage folder. Created when the first feed is stored. */
  readonly feedsFolder: string;
  /** The place of the copies of feeds, in place of that folder. Nodes share it. */
  readonly feedCache?: FeedCache | null;
  readonly config: DatasetsConfig;
  /** False: another process fetches feeds, and this process only loads the copies. Default: true. */
  readonly fetches?: () => boolean;
  readonly clock: Clock;
  /** The clock that decides when feeds must be fetched. Default: the clock of the process. */
  readonly time?: () => Promise<number>;
  readonly log?: DatasetsLog;
}

/** The part of a logger that this module uses. */
export interface DatasetsLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/**
 * The data sets of a running process. `current` is always replaced as a whole, so a caller that reads it once sees one
 * state.
 */
export interface DatasetStore extends CurrentDatasets {
  /** Fetches all feeds now. Two calls at the same time share one run. It does not throw when a feed fails. */
  refresh(options?: { readonly acceptShrunk?: boolean }): Promise<readonly FeedOutcome[]>;
  /**
   * Reads the files and stored feeds of a changed configuration.
   * @returns a function that replaces feeds, files and the interval. It cannot fail.
   * @throws {Error} that names the unusable file.
   */
  prepare(config: DatasetsConfig): Promise<() => void>;
  /**
   * Loads the copies that another process has stored. Rejects when they cannot be read; then the copies in use stay.
   */
  loadStored(): Promise<void>;
  /** Starts to fetch each feed at its time, and to load feeds that another process fetched. */
  startRefreshing(): void;
  /** Stops timers and running fetches. The sets stay usable. */
  close(): void;
}

/** The interval of the check for a fetch by `gatekeeper data update`. */
const LOOK_EVERY_MS = 10_000;
/**
 * The share of the interval by which a fetch is delayed at random. So processes that started together do not fetch
 * together.
 */
const JITTER = 0.1;

/**
 * Loads the built-in data, the user's `.mmdb` files and the stored copies of feeds. Uses no network.
 * @throws {Error} that names the file and the remedy, when a file is missing or damaged.
 */
export async function openDatasets(options: OpenDatasetsOptions): Promise<DatasetStore> {
  const { folder, feedsFolder, fetches = () => true, clock, log } = options;
  const { feedCache, time = async () => clock() } = options;
  const cache = feedCache ?? openFeedCache(feedsFolder);
  const files = await readBuiltInFiles(folder);
  const builtIn: BuiltIn = {
    email: loadEmailDatasets(files),
    device: loadDeviceDatasets(files),
    info: builtInInfo(files),
  };
  const networkTable = readNetworkTable(files);
  const abort = new AbortController();

  let configured = await open(options.config);
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<readonly FeedOutcome[]> | null = null;

  async function open(config: DatasetsConfig): Promise<Configured> {
    const network = loadNetworkDatasets(networkTable, config);
    const feeds = openFeeds({
      cache,
      feeds: config.feeds,
      oldAfterMs: oldAfter(config.refresh),
      signal: abort.signal,
      isProtected: (domain) => isProtected(builtIn.email, domain),
    });
    await feeds.load();
    return { config, network, feeds };
  }

  async function fetchFeeds(
    which: readonly FeedConfig[],
    acceptShrunk: boolean,
  ): Promise<readonly FeedOutcome[]> {
    const outcomes = await configured.feeds.refresh(which, { acceptShrunk, now: await time() });
    store.current = combine(builtIn, configured);
    for (const outcome of outcomes) report(outcome, log);
    return outcomes;
  }

  function run(which: readonly FeedConfig[], acceptShrunk: boolean): Promise<readonly FeedOutcome[]> {
    running ??= fetchFeeds(which, acceptShrunk).finally(() => {
      running = null;
    });
    return running;
  }

  async function loadStored(): Promise<void> {
    if (await configured.feeds.load()) store.current = combine(builtIn, configured);
  }

  async function look(intervalMs: number | null): Promise<void> {
    await loadStored();
    const due = intervalMs === null || !fetches() ? [] : configured.feeds.due(intervalMs, await time());
    if (due.length > 0) await run(due, false);
  }

  function startRefreshing(): void {
    const { refresh, feeds } = configured.config;
    if (timer || feeds.length === 0) return;
    const intervalMs = refresh && refresh * (1 + JITTER * Math.random());
    let isFailing = false;
    const safeLook = async () => {
      try {
        await look(intervalMs);
        isFailing = false;
      } catch (error) {
        if (!isFailing)
          log?.warn({ err: error }, 'The stored feeds could not be read; the copies in use stay.');
        isFailing = true;
      }
    };
    timer = setInterval(safeLook, Math.min(LOOK_EVERY_MS, intervalMs ?? LOOK_EVERY_MS)).unref();
    void safeLook();
  }

  function stopRefreshing(): void {
    if (timer) clearInterval(timer);
    timer = null;
  }

  const store: DatasetStore & { current: Datasets } = {
    current: combine(builtIn, configured),
    refresh: ({ acceptShrunk = false } = {}) => run(configured.config.feeds, acceptShrunk),
    async prepare(config) {
      // Files are read again even if their names are unchanged, because a SIGHUP announces that they were replaced.
      if (!hasOwnFiles(config) && JSON.stringify(config) === JSON.stringify(configured.config))
        return () => {};
      const next = await open(config);
      return () => {
        if (abort.signal.aborted) return;
        configured = next;
        store.current = combine(builtIn, next);
        // A running fetch continues. It writes stored copies, and the next check loads them.
        stopRefreshing();
        startRefreshing();
      };
    },
    loadStored,
    startRefreshing,
    close() {
      stopRefreshing();
      abort.abort();
    },
  };
  return store;
}

/** The part that a reload replaces. */
interface Configured {
  readonly config: DatasetsConfig;
  readonly network: LoadedNetwork;
  readonly feeds: Feeds;
}

function hasOwnFiles({ asn_mmdb, country_mmdb, anonymous_ip_mmdb }: DatasetsConfig): boolean {
  return asn_mmdb !== null || country_mmdb !== null || anonymous_ip_mmdb !== null;
}

interface BuiltIn {
  readonly email: BuiltInEmail;
  readonly device: Datasets['device'];
  readonly info: readonly DatasetInfo[];
}

function combine(builtIn: BuiltIn, { network, feeds }: Configured): Datasets {
  const info = [...builtIn.info, ...network.info, ...feeds.info()];
  const disposable: readonly DomainSet[] = [builtIn.email.disposable, ...feeds.domainSets()];
  return {
    revision: revisionOf(info.map((set) => `${set.name} ${set.revision}`).join('\n')),
    email: { ...builtIn.email, disposable: unionOfDomainSets(disposable) },
    network: network.withFeeds(feeds.ipSets),
    device: builtIn.device,
    info,
  };
}

function builtInInfo({ manifest }: BuiltInFiles): DatasetInfo[] {
  return manifest.sets.map(({ name, source, licence, date, entries, revision }) => ({
    name,
    source,
    licence,
    date,
    entries,
    revision,
    fetchedAt: null,
    failure: null,
    oldAfterMs: null,
  }));
}

/**
 * A list of throwaway services that contains gmail.com would refuse nearly every signup: known providers, schools and
 * governments are excluded.
 */
function isProtected({ protectedProviders, academic, government }: BuiltInEmail, domain: string): boolean {
  if (protectedProviders.has(domain)) return true;
  for (let name = domain; name !== ''; name = parentOf(name)) {
    if (academic.has(name) || government.has(name)) return true;
  }
  return false;
}

function parentOf(domain: string): string {
  const dot = domain.indexOf('.');
  return dot === -1 ? '' : domain.slice(dot + 1);
}

function report({ name, kind, state, entries, failure }: FeedOutcome, log: DatasetsLog | undefined): void {
  const fields = { feed: name, kind, entries };
  if (state === 'failed')
    log?.warn({ ...fields, failure }, 'A feed could not be refreshed; its last good copy stays.');
  else log?.info(fields, state === 'fetched' ? 'A feed was refreshed.' : 'A feed is unchanged.');
}
