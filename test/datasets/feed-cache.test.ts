import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import type { FeedConfig } from '../../src/config/config.ts';
import { emptyState, openFeedCache } from '../../src/datasets/feed-cache.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const feed: FeedConfig = {
  name: 'Tor exits',
  kind: 'tor',
  url: 'https://tor.example/list',
  format: 'auto',
  mirrors: [],
  licence: null,
};
const fetched = { ...emptyState(feed), etag: '"v1"', fetchedAt: 1_000 };
const pathOf = (folder: string, ending: string) =>
  join(folder, readdirSync(folder).find((name) => name.endsWith(ending)) ?? '');

test('a feed that was never stored has an empty state and no entries', async (t) => {
  const cache = openFeedCache(join(temporaryFolder(t), 'not', 'made'));
  const state = await cache.readState(feed);
  t.deepEqual(state, emptyState(feed));
  t.is(await cache.readEntries(feed, state), null);
});

test('another process reads the stored copy, and no other user may read it', async (t) => {
  const folder = temporaryFolder(t);
  const state = await openFeedCache(folder).writeEntries(feed, ['192.0.2.1', '192.0.2.2'], fetched);
  const cache = openFeedCache(folder);
  t.deepEqual(await cache.readState(feed), state);
  t.deepEqual(await cache.readEntries(feed, state), ['192.0.2.1', '192.0.2.2']);
  t.is(statSync(pathOf(folder, '.list')).mode & 0o077, 0);
});

test('a copy replaces the one before, and those of other feeds stay', async (t) => {
  const folder = temporaryFolder(t);
  const cache = openFeedCache(folder);
  const other = { ...feed, name: 'tor exits' };
  await cache.writeEntries(other, ['192.0.2.9'], emptyState(other));
  await cache.writeEntries(feed, ['192.0.2.1'], fetched);
  const state = await cache.writeEntries(feed, ['192.0.2.2'], fetched);
  t.is(readdirSync(folder).length, 4);
  t.deepEqual(await cache.readEntries(feed, state), ['192.0.2.2']);
  t.deepEqual(await cache.readEntries(other, await cache.readState(other)), ['192.0.2.9']);
});

test('history and copy of two processes that write at once still fit together', async (t) => {
  const folder = temporaryFolder(t);
  const caches = [openFeedCache(folder), openFeedCache(folder)];
  await Promise.all(
    caches.map((cache, i) => cache.writeEntries(feed, [`192.0.2.${i}`], { ...fetched, etag: `"v${i}"` })),
  );
  const state = await openFeedCache(folder).readState(feed);
  const entries = await openFeedCache(folder).readEntries(feed, state);
  t.deepEqual(entries, [state.etag === '"v0"' ? '192.0.2.0' : '192.0.2.1']);
});

test('a copy belongs to the url, kind and format that it was fetched for', async (t) => {
  const cache = openFeedCache(temporaryFolder(t));
  await cache.writeEntries(feed, ['192.0.2.1'], fetched);
  for (const change of [
    { url: 'https://other.example' },
    { kind: 'vpn' as const },
    { format: 'lines' as const },
  ]) {
    t.is((await cache.readState({ ...feed, ...change })).revision, null);
  }
});

test('a damaged copy is not accepted', async (t) => {
  const folder = temporaryFolder(t);
  const cache = openFeedCache(folder);
  const state = await cache.writeEntries(feed, ['192.0.2.1', '192.0.2.2'], fetched);
  const file = pathOf(folder, '.list');
  const text = readFileSync(file, 'utf8');
  for (const damage of [text.slice(0, -3), text.replace('192.0.2.1', '192.0.2.3'), '', '\n', '{']) {
    writeFileSync(file, damage);
    t.is(await cache.readEntries(feed, state), null, damage);
  }
});

const DAMAGES = ['', '{', '[]', 'null', '{"origin": 1}', '\0'.repeat(100_000)];

test('an unreadable history or copy counts as missing', async (t) => {
  const folder = temporaryFolder(t);
  const cache = openFeedCache(folder);
  for (const damage of DAMAGES) {
    await cache.writeEntries(feed, ['192.0.2.1'], fetched);
    writeFileSync(pathOf(folder, '.list'), damage);
    t.like(await cache.readState(feed), { revision: null, etag: null, entries: 0, fetchedAt: 1_000 });
    writeFileSync(pathOf(folder, '.json'), damage);
    t.deepEqual(await cache.readState(feed), emptyState(feed));
  }
});

test('names of feeds cannot lead out of the folder', async (t) => {
  const folder = temporaryFolder(t);
  const cache = openFeedCache(folder);
  for (const name of ['../up', '..', '/etc/passwd', 'a'.repeat(5_000), 'ü\0', '']) {
    await cache.writeEntries({ ...feed, name }, ['192.0.2.1'], fetched);
  }
  t.is(readdirSync(folder).length, 12);
});

test('a copy that cannot be read is missing, and its state says why', async (t) => {
  const folder = temporaryFolder(t);
  const cache = openFeedCache(folder);
  const stored = await cache.writeEntries(feed, ['192.0.2.1'], fetched);
  const list = pathOf(folder, '.list');
  rmSync(list);
  mkdirSync(list);
  const state = await cache.readState(feed);
  t.like(state, { ...emptyState(feed), failure: state.failure });
  t.regex(state.failure ?? '', /^its copy cannot be read: EISDIR/);
  t.is(await cache.readEntries(feed, state), null);
  await t.throwsAsync(cache.readEntries(feed, stored), { code: 'EISDIR' });
});
