import test, { type ExecutionContext } from 'ava';
import type { FeedConfig } from '../../../src/config/config.ts';
import { emptyState } from '../../../src/datasets/feed-cache.ts';
import { openStorage } from '../../../src/storage/open-storage.ts';
import { connectPostgres, MISSING_POSTGRES } from '../../helpers/postgres-server.ts';
import { postgresDatabase } from '../prepare-postgres.ts';

const testPostgres = MISSING_POSTGRES === null ? test : test.skip;
if (MISSING_POSTGRES !== null) test.skip(`copies of feeds: ${MISSING_POSTGRES}`, () => {});

const feed: FeedConfig = {
  ...{ name: 'Tor exits', kind: 'tor', url: 'https://tor.example/list', format: 'auto' },
  ...{ mirrors: [], licence: null },
};
const fetched = { ...emptyState(feed), etag: '"v1"', fetchedAt: 1_000 };

async function copiesOn(t: ExecutionContext, url: string) {
  const records = await openStorage({ url, clock: Date.now });
  t.teardown(() => records.close());
  if (!records.fleet) throw new Error('PostgreSQL has nodes');
  return records.fleet.feedCopies;
}

async function twoNodes(t: ExecutionContext) {
  const { direct, pooled } = await postgresDatabase(t);
  const admin = await connectPostgres(direct);
  t.teardown(() => admin.end());
  return { one: await copiesOn(t, direct), other: await copiesOn(t, pooled), admin };
}

testPostgres('a copy that one node stores is there on another, and a newer one replaces it', async (t) => {
  const { one, other } = await twoNodes(t);
  const empty = await other.readState(feed);
  t.deepEqual(empty, emptyState(feed));
  t.is(await other.readEntries(feed, empty), null);
  const first = await one.writeEntries(feed, ['192.0.2.1', '192.0.2.2'], fetched);
  t.like(first, { entries: 2, etag: '"v1"' });
  t.deepEqual(await other.readState(feed), first);
  t.deepEqual(await other.readEntries(feed, first), ['192.0.2.1', '192.0.2.2']);
  const second = await other.writeEntries(feed, ['192.0.2.3'], { ...fetched, etag: null });
  t.is(await one.readEntries(feed, first), null, 'the first one is gone');
  t.deepEqual(await one.readEntries(feed, second), ['192.0.2.3']);
});

testPostgres('a failed fetch changes the history and not the copy', async (t) => {
  const { one, other } = await twoNodes(t);
  const failure = 'It does not answer.';
  await one.writeHistory(feed, { ...emptyState(feed), failure, failedAt: 500 });
  t.like(await other.readState(feed), { revision: null, failure, failedAt: 500 });
  const state = await one.writeEntries(feed, ['192.0.2.1'], fetched);
  await one.writeHistory(feed, { ...state, failure, failedAt: 2_000 });
  t.deepEqual(await other.readState(feed), { ...state, failure, failedAt: 2_000 });
  t.deepEqual(await other.readEntries(feed, state), ['192.0.2.1']);
});

testPostgres(
  'feeds of another address or kind have copies of their own, and unused ones are removed',
  async (t) => {
    const { one, admin } = await twoNodes(t);
    const state = await one.writeEntries(feed, ['192.0.2.1'], fetched);
    for (const changed of [{ url: 'https://other.example/list' }, { kind: 'vpn' as const }]) {
      const other = { ...feed, ...changed };
      t.is((await one.readState(other)).revision, null);
      await one.writeEntries(other, ['192.0.2.9'], emptyState(other));
    }
    t.deepEqual(await one.readEntries(feed, state), ['192.0.2.1']);
    t.is((await admin.query('SELECT FROM feed_copies')).rowCount, 3);
    await admin.query("UPDATE feed_copies SET written_at = now() - interval '31 days'");
    await one.writeEntries(feed, ['192.0.2.1'], fetched);
    t.is((await admin.query('SELECT FROM feed_copies')).rowCount, 1);
  },
);

testPostgres('a damaged copy is none, and one beyond the bound is refused and changes nothing', async (t) => {
  const { one, admin } = await twoNodes(t);
  const state = await one.writeEntries(feed, ['192.0.2.1'], fetched);
  const error = await t.throwsAsync(
    one.writeEntries(
      feed,
      Array.from({ length: 66 }, () => 'a'.repeat(1_048_576)),
      fetched,
    ),
    { name: 'StorageError' },
  );
  t.regex(
    error?.message ?? '',
    /^The entries of Tor exits have 69206\d+ bytes, and the records keep 67108864 at/,
  );
  t.deepEqual(await one.readEntries(feed, state), ['192.0.2.1']);
  await admin.query("UPDATE feed_copies SET body = 'something else'");
  t.is(await one.readEntries(feed, state), null);
});

testPostgres('a long list is stored and read', async (t) => {
  const { one, other } = await twoNodes(t);
  // Does not compress well, like addresses.
  const entries = Array.from(
    { length: 300_000 },
    (_, i) => `h${((i * 2_654_435_761) >>> 0).toString(36)}.example`,
  );
  const begunAt = performance.now();
  const state = await one.writeEntries(feed, entries, fetched);
  const writtenAt = performance.now();
  t.is((await other.readEntries(feed, state))?.length, entries.length);
  t.log(
    `${entries.length} entries: written in ${Math.round(writtenAt - begunAt)} ms, read in ${Math.round(performance.now() - writtenAt)} ms`,
  );
});
