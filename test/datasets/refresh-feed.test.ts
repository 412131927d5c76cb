import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import test from 'ava';
import type { FeedConfig } from '../../src/config/config.ts';
import { openFeedCache } from '../../src/datasets/feed-cache.ts';
import { type RefreshFeedOptions, refreshFeed } from '../../src/datasets/refresh-feed.ts';
import { serveFeed } from '../helpers/feed-server.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

type Answer = (response: ServerResponse) => void;

const DAY_MS = 86_400_000;
const addresses = (count: number) => Array.from({ length: count }, (_, i) => `192.0.2.${i}`).join('\n');

async function setUp(t: Parameters<typeof serveFeed>[0], first: Answer) {
  let answer = first;
  const { origin, requests } = await serveFeed(t, (_, response) => answer(response));
  const folder = temporaryFolder(t);
  const feed: FeedConfig = {
    name: 'exits',
    kind: 'tor',
    url: `${origin}/list`,
    format: 'auto',
    mirrors: [],
    licence: null,
  };
  const cache = openFeedCache(folder);
  const refresh = (options: Partial<RefreshFeedOptions> = {}, of: FeedConfig = feed) =>
    refreshFeed(of, {
      cache,
      now: 1_000,
      signal: new AbortController().signal,
      acceptShrunk: false,
      ...options,
    });
  const say = (next: Answer) => {
    answer = next;
  };
  return { cache, feed, folder, refresh, requests, say };
}

test('a feed is fetched, found unchanged, and fetched again when it changed', async (t) => {
  const { cache, feed, refresh, say } = await setUp(t, (response) => response.end(addresses(2)));
  t.like(await refresh({ now: 1_000 }), { state: 'fetched', entries: 2, failure: null });
  t.like(await refresh({ now: 2_000 }), { state: 'unchanged', entries: 2 });
  t.is((await cache.readState(feed)).fetchedAt, 2_000);
  say((response) => response.end(addresses(3)));
  t.like(await refresh({ now: 3_000 }), { state: 'fetched', entries: 3 });
});

test('the last good copy stays when the server fails, and the failure is remembered until it recovers', async (t) => {
  const { cache, feed, refresh, say } = await setUp(t, (response) => response.end(addresses(2)));
  await refresh({ now: 1_000 });
  say((response) => response.writeHead(500).end());
  t.like(await refresh({ now: 2_000 }), { state: 'failed', entries: 2, failure: 'The server answered 500.' });
  const state = await cache.readState(feed);
  t.like(state, { fetchedAt: 1_000, failedAt: 2_000, failure: 'The server answered 500.' });
  t.is((await cache.readEntries(feed, state))?.length, 2);
  say((response) => response.end(addresses(2)));
  await refresh({ now: 3_000 });
  t.like(await cache.readState(feed), { fetchedAt: 3_000, failedAt: null, failure: null });
});

test('validators are not sent when the copy they belong to is gone', async (t) => {
  const { folder, refresh, requests } = await setUp(t, (response) =>
    response.writeHead(200, { etag: '"v1"' }).end(addresses(2)),
  );
  await refresh();
  await refresh();
  rmSync(join(folder, readdirSync(folder).find((name) => name.endsWith('.list')) ?? ''));
  t.is((await refresh()).entries, 2);
  t.deepEqual(
    requests.map((request) => request.headers['if-none-match']),
    [undefined, '"v1"', undefined],
  );
});

test('a list that lost more than half of its entries is refused, until it has been so for a day', async (t) => {
  const { refresh, say } = await setUp(t, (response) => response.end(addresses(200)));
  await refresh({ now: 0 });
  say((response) => response.end(addresses(99)));
  const refused = await refresh({ now: 1_000 });
  t.like(refused, { state: 'failed', entries: 200 });
  t.regex(refused.failure ?? '', /99 entries, but the copy in use has 200/);
  t.like(await refresh({ now: DAY_MS }), { state: 'failed', entries: 200 });
  t.like(await refresh({ now: DAY_MS + 1_000 }), { state: 'fetched', entries: 99 });
});

test('a list that was whole again in between begins its day anew', async (t) => {
  const { refresh, say } = await setUp(t, (response) => response.end(addresses(200)));
  await refresh({ now: 0 });
  say((response) => response.end(addresses(50)));
  await refresh({ now: 1_000 });
  say((response) => response.end(addresses(201)));
  await refresh({ now: 2_000 });
  say((response) => response.end(addresses(50)));
  t.is((await refresh({ now: DAY_MS + 1_500 })).state, 'failed');
});

test('a shrunken list is accepted at once with acceptShrunk, and a short one always', async (t) => {
  const { refresh, say } = await setUp(t, (response) => response.end(addresses(200)));
  await refresh();
  say((response) => response.end(addresses(90)));
  t.like(await refresh({ acceptShrunk: true }), { state: 'fetched', entries: 90 });
  say((response) => response.end(addresses(1)));
  t.like(await refresh(), { state: 'fetched', entries: 1 });
});

test('a web page in place of the list changes nothing', async (t) => {
  const { refresh, say } = await setUp(t, (response) => response.end(addresses(2)));
  await refresh();
  say((response) => response.end('<html>Please sign in</html>'));
  t.like(await refresh(), { state: 'failed', entries: 2 });
});

test('a folder that cannot be made is a failure with its reason, not an error', async (t) => {
  const { folder, refresh } = await setUp(t, (response) => response.end(addresses(2)));
  const file = join(folder, 'file');
  writeFileSync(file, 'not a folder');
  const { state, failure } = await refresh({ cache: openFeedCache(join(file, 'feeds')) });
  t.is(state, 'failed');
  t.regex(failure ?? '', /ENOTDIR/);
});

/** A feed whose own address and whose mirror are two servers. */
async function setUpMirrors(t: Parameters<typeof serveFeed>[0], first: Answer, second: Answer) {
  const main = await setUp(t, first);
  const mirror = await setUp(t, second);
  const feed: FeedConfig = { ...main.feed, mirrors: [mirror.feed.url] };
  const hosts = [feed.url, mirror.feed.url].map((url) => new URL(url).host);
  return { main, mirror, feed, hosts, refresh: (options = {}) => main.refresh(options, feed) };
}

const FAILURES: readonly (readonly [what: string, answer: Answer])[] = [
  ['is broken', (response) => response.writeHead(500).end()],
  ['ends its answer early', (response) => response.writeHead(200, { 'content-length': 99 }).end('192.0.2.1')],
  ['closes the connection', (response) => response.destroy()],
  ['answers with a web page', (response) => response.end('<!doctype html><p>Welcome')],
  ['answers with an empty list', (response) => response.end('')],
];

for (const [what, answer] of FAILURES) {
  test(`a mirror delivers the feed when its own address ${what}`, async (t) => {
    const { main, mirror, refresh, feed } = await setUpMirrors(t, answer, (response) =>
      response.end(addresses(2)),
    );
    t.like(await refresh(), { state: 'fetched', entries: 2, failure: null });
    t.is(mirror.requests.length, 1);
    t.like(await main.cache.readState(feed), { fetchedAt: 1_000, failure: null, failedAt: null });
  });
}

test('a mirror is not asked while the own address works, and the own address is asked first each time', async (t) => {
  const { main, mirror, refresh } = await setUpMirrors(
    t,
    (response) => response.end(addresses(2)),
    (response) => response.end(addresses(3)),
  );
  t.like(await refresh(), { entries: 2 });
  t.is(mirror.requests.length, 0);
  main.say((response) => response.writeHead(503).end());
  t.like(await refresh({ now: 2_000 }), { state: 'fetched', entries: 3 });
  main.say((response) => response.end(addresses(2)));
  t.like(await refresh({ now: 3_000 }), { state: 'fetched', entries: 2 });
  t.is(mirror.requests.length, 1);
});

test('validators go only to the address that sent them', async (t) => {
  const tagged =
    (tag: string, count: number): Answer =>
    (response) => {
      if (response.req.headers['if-none-match'] === tag) response.writeHead(304).end();
      else response.writeHead(200, { etag: tag }).end(addresses(count));
    };
  const { main, mirror, refresh } = await setUpMirrors(t, tagged('"same"', 2), tagged('"same"', 3));
  await refresh();
  main.say((response) => response.writeHead(500).end());
  t.like(await refresh({ now: 2_000 }), { state: 'fetched', entries: 3 });
  t.is(mirror.requests.at(-1)?.headers['if-none-match'], undefined);
  t.like(await refresh({ now: 3_000 }), { state: 'unchanged', entries: 3 });
  t.is(mirror.requests.at(-1)?.headers['if-none-match'], '"same"');
  main.say(tagged('"same"', 2));
  t.like(await refresh({ now: 4_000 }), { state: 'fetched', entries: 2 });
  t.is(main.requests.at(-1)?.headers['if-none-match'], undefined);
});

test('when every address fails, the failure names each host, and the last good copy stays', async (t) => {
  const { main, mirror, refresh, feed, hosts } = await setUpMirrors(
    t,
    (response) => response.end(addresses(2)),
    (response) => response.writeHead(404).end(),
  );
  await refresh();
  main.say((response) => response.writeHead(500).end());
  t.like(await refresh({ now: 2_000 }), {
    state: 'failed',
    entries: 2,
    failure: `${hosts[0]}: The server answered 500. ${hosts[1]}: The server answered 404.`,
  });
  t.is((await main.cache.readState(feed)).fetchedAt, 1_000);
  t.is(mirror.requests.length, 1);
});

test('a list that shrank at its own address comes from a mirror; one that shrank everywhere is believed after a day', async (t) => {
  const { main, mirror, refresh } = await setUpMirrors(
    t,
    (response) => response.end(addresses(200)),
    (response) => response.end(addresses(190)),
  );
  await refresh();
  main.say((response) => response.end(addresses(20)));
  t.like(await refresh({ now: 2_000 }), { state: 'fetched', entries: 190 });
  mirror.say((response) => response.end(addresses(20)));
  t.like(await refresh({ now: 3_000 }), { state: 'failed', entries: 190 });
  t.like(await refresh({ now: 3_000 + DAY_MS }), { state: 'fetched', entries: 20 });
});

test('a stop asks no further mirror', async (t) => {
  const stop = new AbortController();
  const { mirror, refresh } = await setUpMirrors(
    t,
    () => stop.abort(),
    (response) => response.end(addresses(2)),
  );
  t.like(await refresh({ signal: stop.signal }), { state: 'failed', failure: 'It was stopped.' });
  t.is(mirror.requests.length, 0);
});
