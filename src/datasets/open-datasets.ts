import type { Clock } from '../clock.ts';
import type { DatasetsConfig, FeedConfig } from '../config/config.ts';
import { type BuiltInFiles, readBuiltInFiles } from './built-in-files.ts';
import type { CurrentDatasets, DatasetInfo, Datasets, DomainSet } from './datasets.ts';
import { loadDeviceDatasets } from './device-datasets.ts';
import { unionOfDomainSets } from './domain-set.ts';
import { type BuiltInEmail, loadEmailDatasets } from './email-datasets.ts';
import { type Feeds, openFeeds } from './feeds.ts';
import { revisionOf } from './manifest.ts';
import { type LoadedNetwork, loadNetworkDatasets } from './network-datasets.ts';
import type { FeedOutcome } from './refresh-feed.ts';

export interface OpenDatasetsOptions {
  /** Where the built-in files are: `datasets/` of the package. */
  readonly folder: string;
  /** The folder of fetched feeds: inside the storage folder. Created when the first feed is stored. */
  readonly feedsFolder: string;
  readonly config: DatasetsConfig;
  readonly clock: Clock;
  readonly log?: DatasetsLog;
}

/** The part of a logger that this module uses. */
export interface DatasetsLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/**
 * The data sets of a running process: `current` is replaced as a whole, so a caller that reads it once sees one state.
 */
export interface DatasetStore extends CurrentDatasets {
  /** Fetches all feeds now. Two calls at once share one run. A failing feed never makes it throw. */
  refresh(options?: { readonly acceptShrunk?: boolean }): Promise<readonly FeedOutcome[]>;
  /** Starts to fetch each feed when it is due, and to load feeds that another process fetched. */
  startRefreshing(): void;
  /** Stops timers and running fetches. The sets stay usable. */
  close(): void;
}

/** How soon a running process notices a fetch by `gatekeeper data update`. */
const LOOK_EVERY_MS = 10_000;
/** Processes that started together must not fetch together: each waits up to this share of the interval longer. */
const JITTER = 0.1;

/**
 * Loads the built-in data, the user's `.mmdb` files and the stored copies of feeds. Uses no network.
 * @throws {Error} that names the file and the remedy, when a file is missing or damaged.
 */
export async function openDatasets(options: OpenDatasetsOptions): Promise<DatasetStore> {
  const { folder, feedsFolder, config, clock, log } = options;
  const files = await readBuiltInFiles(folder);
  const builtIn: BuiltIn = {
    email: loadEmailDatasets(files),
    network: loadNetworkDatasets(files, config),
    device: loadDeviceDatasets(files),
    info: builtInInfo(files),
  };
  const feeds = openFeeds({
    folder: feedsFolder,
    feeds: config.feeds,
    clock,
    isProtected: (domain) => isProtected(builtIn.email, domain),
  });
  await feeds.load();

  let current = combine(builtIn, feeds);
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<readonly FeedOutcome[]> | null = null;

  async function fetchFeeds(
    which: readonly FeedConfig[],
    acceptShrunk: boolean,
  ): Promise<readonly FeedOutcome[]> {
    const outcomes = await feeds.refresh(which, acceptShrunk);
    current = combine(builtIn, feeds);
    for (const outcome of outcomes) report(outcome, log);
    return outcomes;
  }

  function run(which: readonly FeedConfig[], acceptShrunk: boolean): Promise<readonly FeedOutcome[]> {
    running ??= fetchFeeds(which, acceptShrunk).finally(() => {
      running = null;
    });
    return running;
  }

  async function look(intervalMs: number | null): Promise<void> {
    if (await feeds.load()) current = combine(builtIn, feeds);
    const due = intervalMs === null ? [] : feeds.due(intervalMs);
    if (due.length > 0) await run(due, false);
  }

  return {
    get current() {
      return current;
    },
    refresh: ({ acceptShrunk = false } = {}) => run(config.feeds, acceptShrunk),
    startRefreshing() {
      if (timer || config.feeds.length === 0) return;
      const intervalMs = config.refresh && config.refresh * (1 + JITTER * Math.random());
      const safeLook = () =>
        look(intervalMs).catch((error: unknown) =>
          log?.warn({ err: error }, 'The stored feeds could not be read; those in use stay.'),
        );
      timer = setInterval(safeLook, Math.min(LOOK_EVERY_MS, intervalMs ?? LOOK_EVERY_MS)).unref();
      safeLook();
    },
    close() {
      if (timer) clearInterval(timer);
      timer = null;
      feeds.close();
    },
  };
}

interface BuiltIn {
  readonly email: BuiltInEmail;
  readonly network: LoadedNetwork;
  readonly device: Datasets['device'];
  readonly info: readonly DatasetInfo[];
}

function combine(builtIn: BuiltIn, feeds: Feeds): Datasets {
  const info = [...builtIn.info, ...builtIn.network.info, ...feeds.info()];
  const disposable: readonly DomainSet[] = [builtIn.email.disposable, ...feeds.domainSets()];
  return {
    revision: revisionOf(info.map((set) => `${set.name} ${set.revision}`).join('\n')),
    email: { ...builtIn.email, disposable: unionOfDomainSets(disposable) },
    network: builtIn.network.withFeeds(feeds.ipSets),
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
