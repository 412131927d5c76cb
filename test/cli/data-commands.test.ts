import test from 'ava';
import { dataStatus, dataUpdate } from '../../src/cli/data-commands.ts';
import type { DatasetInfo } from '../../src/datasets/datasets.ts';
import { openDatasets } from '../../src/datasets/open-datasets.ts';
import { builtDatasetsFolder, plainDatasetsConfig } from '../helpers/built-datasets.ts';
import { serveFeed } from '../helpers/feed-server.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

type Context = Parameters<typeof serveFeed>[0];

const HOUR_MS = 3_600_000;

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
  t.is(dataStatus({ datasets: store.current, now: HOUR_MS, json: false, write }), 0);
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
  dataStatus({ datasets: store.current, now: 4 * HOUR_MS, json: false, write });
  t.regex(printed(), /^my-tor +1 +3 h ago/m);
  t.regex(printed(), /^my-vpn +0 +never/m);
  t.regex(printed(), /^my-vpn: the last fetch failed\. The server answered 404\.$/m);
});

test('status as JSON has the same facts', async (t) => {
  const { store, write, printed } = await setUp(t, ['tor']);
  await store.refresh();
  dataStatus({ datasets: store.current, now: HOUR_MS, json: true, write });
  const { revision, sets } = JSON.parse(printed()) as { revision: string; sets: DatasetInfo[] };
  t.is(revision, store.current.revision);
  t.is(sets.length, store.current.info.length);
  t.like(sets.at(-1), { name: 'my-tor', entries: 1, fetched_at: '1970-01-01T01:00:00.000Z', failure: null });
});

test('update prints the state of each feed, and returns 2 when a feed failed', async (t) => {
  const { store, write, printed } = await setUp(t, ['tor', 'vpn']);
  t.is(await dataUpdate({ store, acceptShrunk: false, json: false, write }), 2);
  t.regex(printed(), /^my-tor +tor +fetched +1$/m);
  t.regex(printed(), /^my-vpn +vpn +failed +0$/m);
  t.regex(printed(), /^my-vpn: The server answered 404\.$/m);
});

test('update returns 0 when every feed works, also the second time', async (t) => {
  const { store, write, printed } = await setUp(t, ['tor']);
  t.is(await dataUpdate({ store, acceptShrunk: false, json: true, write }), 0);
  t.like(JSON.parse(printed()), { feeds: [{ name: 'my-tor', state: 'fetched', entries: 1 }] });
  t.is(await dataUpdate({ store, acceptShrunk: false, json: false, write }), 0);
  t.regex(printed(), /my-tor +tor +unchanged/);
});

test('update without feeds says how to add feeds', async (t) => {
  const { store, write, printed } = await setUp(t, []);
  t.is(await dataUpdate({ store, acceptShrunk: false, json: false, write }), 0);
  t.regex(printed(), /datasets\.feeds/);
});
