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
  const feed: FeedConfig = { name: 'exits', kind: 'tor', url: `${origin}/list`, format: 'auto' };
  const cache = openFeedCache(folder);
  const refresh = (options: Partial<RefreshFeedOptions> = {}) =>
    refreshFeed(feed, {
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
  t.regex(refused.failure ?? '', /99 entries where the copy in use has 200/);
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
