import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { parseIpAddress } from '../../src/addresses/ip-address.ts';
import type { FeedConfig, FeedKind } from '../../src/config/config.ts';
import { type DatasetStore, openDatasets } from '../../src/datasets/open-datasets.ts';
import { builtDatasetsFolder, plainDatasetsConfig } from '../helpers/built-datasets.ts';
import { serveFeed } from '../helpers/feed-server.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

interface Setting {
  readonly feeds: readonly FeedConfig[];
  readonly folder: string;
  readonly clock?: () => number;
  readonly refresh?: number | null;
}

async function open(t: ExecutionContext, { feeds, folder, clock = () => 1_000, refresh = null }: Setting) {
  const store = await openDatasets({
    folder: builtDatasetsFolder,
    feedsFolder: join(folder, 'feeds'),
    config: { ...plainDatasetsConfig, refresh, feeds },
    clock,
  });
  t.teardown(() => store.close());
  return store;
}

const feed = (kind: FeedKind, origin: string): FeedConfig => ({
  name: `${kind} list`,
  kind,
  url: `${origin}/${kind}?key=secret`,
  format: 'auto',
  mirrors: [],
  licence: null,
});

const hasIp = (store: DatasetStore, kind: Exclude<FeedKind, 'disposable'>, text: string): boolean => {
  const ip = parseIpAddress(text);
  return ip !== null && store.current.network[kind].has(ip);
};

/** Lets everything that is under way go on until it is so; ava's own time-out is the bound. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}

test('without feeds there is only the built-in data, and its revision shows this', async (t) => {
  const store = await open(t, { feeds: [], folder: temporaryFolder(t) });
  t.regex(store.current.revision, /^[0-9a-f]{12}$/);
  t.true(store.current.email.disposable.has('mailinator.com'));
  t.true(store.current.info.every((set) => set.entries > 0 && /^\d{4}-\d{2}-\d{2}$/.test(set.date)));
  t.deepEqual(await store.refresh(), []);
});

test('exits of relays inside the networks of clouds are known without a feed; the servers beside them are none', async (t) => {
  const store = await open(t, { feeds: [], folder: temporaryFolder(t) });
  for (const exit of [
    '104.28.30.1',
    '140.248.20.6',
    '146.75.136.16',
    '2a09:bac3:4de8::1',
    '2a04:4e41:201::1',
  ]) {
    t.true(hasIp(store, 'relay', exit), exit);
  }
  for (const server of ['104.16.0.1', '140.248.128.1', '146.75.0.1', '2606:4700::1', '2a04:4e42::1']) {
    t.false(hasIp(store, 'relay', server), server);
  }
});

const IP_KINDS = ['tor', 'vpn', 'datacenter', 'proxy', 'blocklist', 'relay'] as const;

test('a feed of each kind lands in its own set, and the revision changes', async (t) => {
  const { origin } = await serveFeed(t, (request, response) => {
    const at = IP_KINDS.findIndex((kind) => request.url?.startsWith(`/${kind}`));
    response.end(at === -1 ? 'fresh-burner.com\n' : `198.51.100.${at}\n2001:db8:${at}::/48\n`);
  });
  const feeds = [...IP_KINDS, 'disposable' as const].map((kind) => feed(kind, origin));
  const store = await open(t, { feeds, folder: temporaryFolder(t) });
  const before = store.current;
  const outcomes = await store.refresh();
  t.true(outcomes.every(({ state }) => state === 'fetched'));
  for (const [at, kind] of IP_KINDS.entries()) {
    t.true(hasIp(store, kind, `198.51.100.${at}`), kind);
    t.true(hasIp(store, kind, `2001:db8:${at}::1`), kind);
    t.false(hasIp(store, kind, '198.51.100.99'), kind);
  }
  t.true(store.current.email.disposable.has('fresh-burner.com'));
  t.true(store.current.email.disposable.has('mailinator.com'));
  t.not(store.current.revision, before.revision);
  t.false(before.email.disposable.has('fresh-burner.com'), 'a state once read never changes');
});

test('a feed that names providers, schools and governments does not make them throwaway services', async (t) => {
  const names = ['gmail.com', 'duck.com', 'mit.edu', 'cl.cam.ac.uk', 'x.gov.uk', 'fresh-burner.com'];
  const { origin } = await serveFeed(t, (_, response) => response.end(names.join('\n')));
  const store = await open(t, { feeds: [feed('disposable', origin)], folder: temporaryFolder(t) });
  await store.refresh();
  t.deepEqual(
    names.filter((name) => store.current.email.disposable.has(name)),
    ['fresh-burner.com'],
  );
});

test('stored copies are there at the next start without any network', async (t) => {
  const folder = temporaryFolder(t);
  const { origin, requests } = await serveFeed(t, (_, response) => response.end('198.51.100.1'));
  const feeds = [feed('tor', origin)];
  const first = await open(t, { feeds, folder });
  await first.refresh();
  const second = await open(t, { feeds, folder });
  t.true(hasIp(second, 'tor', '198.51.100.1'));
  t.is(second.current.revision, first.current.revision);
  t.is(requests.length, 1);
});

test('a failed feed keeps its last good copy, reports why, and hides secrets of its url', async (t) => {
  let answer: RequestListener = (_, response) => response.end('198.51.100.1');
  const { origin } = await serveFeed(t, (request, response) => answer(request, response));
  const store = await open(t, { feeds: [feed('tor', origin)], folder: temporaryFolder(t) });
  await store.refresh();
  answer = (_, response) => response.writeHead(503).end();
  await store.refresh();
  t.true(hasIp(store, 'tor', '198.51.100.1'));
  const info = store.current.info.at(-1);
  t.like(info, { name: 'tor list', entries: 1, fetchedAt: 1_000, failure: 'The server answered 503.' });
  t.is(info?.source, `${origin}/tor?…`);
});

test('two refreshes at once share one run', async (t) => {
  const { origin, requests } = await serveFeed(t, (_, response) => response.end('198.51.100.1'));
  const store = await open(t, { feeds: [feed('tor', origin)], folder: temporaryFolder(t) });
  const [first, second] = await Promise.all([store.refresh(), store.refresh()]);
  t.is(first, second);
  t.is(requests.length, 1);
});

test('feeds are fetched at once when they are due, and again after the interval', async (t) => {
  let now = 1_000;
  const { origin, requests } = await serveFeed(t, (_, response) =>
    response.end(`198.51.100.${requests.length}`),
  );
  const store = await open(t, {
    feeds: [feed('tor', origin)],
    folder: temporaryFolder(t),
    clock: () => now,
    refresh: 20,
  });
  store.startRefreshing();
  store.startRefreshing();
  await until(() => hasIp(store, 'tor', '198.51.100.1'));
  now += 100;
  await until(() => hasIp(store, 'tor', '198.51.100.2'));
  t.is(requests.length, 2);
});

test('a feed that was fetched not long ago is not fetched at the start', async (t) => {
  const folder = temporaryFolder(t);
  const { origin, requests } = await serveFeed(t, (_, response) => response.end('198.51.100.1'));
  const feeds = [feed('tor', origin), feed('vpn', origin)];
  await (await open(t, { feeds: feeds.slice(0, 1), folder })).refresh();
  const store = await open(t, { feeds, folder, refresh: 3_600_000, clock: () => 2_000 });
  store.startRefreshing();
  await until(() => hasIp(store, 'vpn', '198.51.100.1'));
  t.deepEqual(
    requests.map(({ url }) => url),
    ['/tor?key=secret', '/vpn?key=secret'],
  );
});

test('a running process loads the fetch of another process', async (t) => {
  const folder = temporaryFolder(t);
  const { origin, requests } = await serveFeed(t, (_, response) =>
    response.end(`198.51.100.${requests.length}`),
  );
  const feeds = [feed('tor', origin)];
  const running = await open(t, { feeds, folder, refresh: 20 });
  running.startRefreshing();
  await until(() => hasIp(running, 'tor', '198.51.100.1'));
  // The clock does not move, so nothing becomes due; only the other process fetches.
  await (await open(t, { feeds, folder })).refresh();
  await until(() => hasIp(running, 'tor', '198.51.100.2'));
  t.is(requests.length, 2);
});

const COPY_DAMAGES: [what: string, damage: (text: string) => string][] = [
  ['another entry', (text) => text.replace('198.51.100.1', '203.0.113.1')],
  ['no head', () => '203.0.113.1\n'],
  ['nothing at all', () => ''],
];

for (const [what, damage] of COPY_DAMAGES) {
  test(`a copy with ${what} is reported as damaged, and fetched again when feeds are refreshed`, async (t) => {
    const folder = temporaryFolder(t);
    const { origin } = await serveFeed(t, (_, response) => response.end('198.51.100.1'));
    const feeds = [feed('tor', origin)];
    await (await open(t, { feeds, folder })).refresh();
    const copy = readdirSync(join(folder, 'feeds')).find((name) => name.endsWith('.list')) ?? '';
    const path = join(folder, 'feeds', copy);
    writeFileSync(path, damage(readFileSync(path, 'utf8')));
    const store = await open(t, { feeds, folder, refresh: 3_600_000 });
    t.is(store.current.network.tor.size, 0);
    t.regex(store.current.info.at(-1)?.failure ?? '', /damaged/);
    store.startRefreshing();
    await until(() => hasIp(store, 'tor', '198.51.100.1'));
    t.is(store.current.info.at(-1)?.failure, null);
  });
}

test('closing stops a fetch that hangs', async (t) => {
  const { origin, requests } = await serveFeed(t, () => undefined);
  const store = await open(t, { feeds: [feed('tor', origin)], folder: temporaryFolder(t) });
  const refreshing = store.refresh();
  await until(() => requests.length === 1);
  store.close();
  t.like(await refreshing, [{ state: 'failed', failure: 'It was stopped.' }]);
});
