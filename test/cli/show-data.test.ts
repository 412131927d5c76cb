import test from 'ava';
import { dataCatalogue, dataStatus, dataUpdate } from '../../src/cli/show-data.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { DatasetInfo } from '../../src/datasets/datasets.ts';
import { FEED_SOURCES } from '../../src/datasets/feed-sources.generated.ts';
import { openDatasets } from '../../src/datasets/open-datasets.ts';
import { knownNames } from '../config/known-names.ts';
import { builtDatasetsFolder, plainDatasetsConfig } from '../helpers/built-datasets.ts';
import { serveFeed } from '../helpers/feed-server.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

type Context = Parameters<typeof serveFeed>[0];

const HOUR_MS = 3_600_000;
const plain = { hasColour: false, catalogue: FEED_SOURCES };

async function setUp(t: Context, kinds: ('tor' | 'vpn')[]) {
  const { origin } = await serveFeed(t, (request, response) => {
    if (request.url === '/vpn') response.writeHead(404).end();
    else response.end('198.51.100.1');
  });
  const feeds = kinds.map((kind) => ({
    name: `my-${kind}`,
    kind,
    url: `${origin}/${kind}`,
    format: 'auto' as const,
    mirrors: [],
    licence: null,
  }));
  const store = await openDatasets({
    folder: builtDatasetsFolder,
    feedsFolder: temporaryFolder(t),
    config: { ...plainDatasetsConfig, feeds },
    clock: () => HOUR_MS,
  });
  t.teardown(() => store.close());
  let text = '';
  const write = (more: string) => {
    text += more;
  };
  return { store, write, printed: () => text };
}

test('status lists every set with source, licence, date, entries and revision', async (t) => {
  const { store, write, printed } = await setUp(t, []);
  t.is(dataStatus({ datasets: store.current, now: HOUR_MS, json: false, ...plain, write }), 0);
  for (const { name, entries, date, revision, licence, source } of store.current.info) {
    const line =
      printed()
        .split('\n')
        .find((candidate) => candidate.startsWith(`${name} `)) ?? '';
    for (const part of [String(entries), date, revision, licence, source]) t.true(line.includes(part), line);
  }
  t.true(printed().endsWith(`Data revision ${store.current.revision}\n`));
});

test('status says how old a feed is and why its last fetch failed', async (t) => {
  const { store, write, printed } = await setUp(t, ['tor', 'vpn']);
  await store.refresh();
  dataStatus({ datasets: store.current, now: 4 * HOUR_MS, json: false, ...plain, write });
  t.regex(printed(), /^my-tor +1 +3 h ago/m);
  t.regex(printed(), /^my-vpn +0 +never/m);
  t.regex(printed(), /^my-vpn: the last fetch failed\. The server answered 404\.$/m);
});

test('status as JSON has the same facts', async (t) => {
  const { store, write, printed } = await setUp(t, ['tor']);
  await store.refresh();
  dataStatus({ datasets: store.current, now: HOUR_MS, json: true, ...plain, write });
  const { revision, sets } = JSON.parse(printed()) as { revision: string; sets: DatasetInfo[] };
  t.is(revision, store.current.revision);
  t.is(sets.length, store.current.info.length);
  t.like(sets.at(-1), { name: 'my-tor', entries: 1, fetched_at: '1970-01-01T01:00:00.000Z', failure: null });
});

test('update prints the state of each feed, and returns 2 when a feed failed', async (t) => {
  const { store, write, printed } = await setUp(t, ['tor', 'vpn']);
  t.is(await dataUpdate({ store, acceptShrunk: false, json: false, ...plain, write }), 2);
  t.regex(printed(), /^my-tor +tor +fetched +1$/m);
  t.regex(printed(), /^my-vpn +vpn +failed +0$/m);
  t.regex(printed(), /^my-vpn: The server answered 404\.$/m);
});

test('update returns 0 when every feed works, also the second time', async (t) => {
  const { store, write, printed } = await setUp(t, ['tor']);
  t.is(await dataUpdate({ store, acceptShrunk: false, json: true, ...plain, write }), 0);
  t.like(JSON.parse(printed()), { feeds: [{ name: 'my-tor', state: 'fetched', entries: 1 }] });
  t.is(await dataUpdate({ store, acceptShrunk: false, json: false, ...plain, write }), 0);
  t.regex(printed(), /my-tor +tor +unchanged/);
});

test('update without feeds says which names to write', async (t) => {
  const { store, write, printed } = await setUp(t, []);
  t.is(await dataUpdate({ store, acceptShrunk: false, json: false, ...plain, write }), 0);
  const [, names = ''] = /^datasets:\n {2}feeds: \[(.+)\]$/m.exec(printed()) ?? [];
  t.deepEqual(
    names.split(', '),
    FEED_SOURCES.map(({ name }) => name),
  );
  const yaml = /^datasets:\n.*$/m.exec(printed())?.[0];
  t.notThrows(() => loadConfig({ file: null, text: yaml ?? '', env: {}, knownNames }));
});

test('the catalogue lists every source with its kind, licence, rhythm, purpose and addresses', (t) => {
  let printed = '';
  t.is(dataCatalogue({ catalogue: FEED_SOURCES, json: false, write: (text) => (printed += text) }), 0);
  for (const { name, kind, licence, renewed, purpose, urls } of FEED_SOURCES) {
    t.regex(printed, new RegExp(`^${name} +${kind} +${licence} +${renewed}$`, 'm'));
    for (const part of [`${name}: ${purpose}`, ...urls]) t.true(printed.includes(part), part);
  }
});

test('the catalogue as JSON is the whole catalogue', (t) => {
  let printed = '';
  dataCatalogue({ catalogue: FEED_SOURCES, json: true, write: (text) => (printed += text) });
  t.deepEqual(JSON.parse(printed), FEED_SOURCES);
});

test('status says in red that a feed is old, or was never fetched', async (t) => {
  const { store, write, printed } = await setUp(t, ['tor', 'vpn']);
  await store.refresh();
  const old = { datasets: store.current, now: 24 * 9 * HOUR_MS, write };
  dataStatus({ ...old, json: false, hasColour: true });
  t.true(printed().includes('\x1b[31mmy-tor is old: it was fetched 8 days ago.\x1b[0m'), printed());
  t.true(printed().includes('\x1b[31mmy-vpn is old: it was never fetched.\x1b[0m'));
});

test('status as JSON says which feeds are old', async (t) => {
  const { store, write, printed } = await setUp(t, ['tor', 'vpn']);
  await store.refresh();
  dataStatus({ datasets: store.current, now: 2 * HOUR_MS, json: true, ...plain, write });
  const { sets } = JSON.parse(printed()) as { sets: { name: string; old: boolean }[] };
  t.deepEqual(
    sets.filter(({ old }) => old).map(({ name }) => name),
    ['my-vpn'],
  );
});
