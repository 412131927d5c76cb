import anyTest, { type ExecutionContext, type TestFn } from 'ava';
import { openStorage } from '../../../src/storage/open-storage.ts';
import { connectPostgres, MISSING_POSTGRES } from '../../helpers/postgres-server.ts';
import { decisionWith, NOON } from '../decisions/decision-fixture.ts';
import { postgresDatabase } from '../prepare-postgres.ts';

const test = anyTest as TestFn;
const testPostgres = MISSING_POSTGRES === null ? test : test.skip;
if (MISSING_POSTGRES !== null) test.skip(`days of decisions in PostgreSQL: ${MISSING_POSTGRES}`, () => {});

const DAY_MS = 86_400_000;
const GENEROUS = { max_decisions: 1e9, max_size: 1e15, max_test_decisions: 1e9 };

async function open(t: ExecutionContext, clock = () => NOON) {
  const { direct: url } = await postgresDatabase(t);
  const storage = await openStorage({ url, clock });
  const client = await connectPostgres(url);
  t.teardown(() => Promise.all([storage.close(), client.end()]));
  const partitions = async () => {
    const { rows } = await client.query<{ name: string; rows: number }>(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'decisions'::regclass ORDER BY 1`,
    );
    return rows.map(({ name }) => name);
  };
  /** A partition of a past day, as an installation that ran on that day has it. */
  const addDay = async (daysAgo: number) => {
    const first = NOON - DAY_MS / 2 - daysAgo * DAY_MS;
    const name = nameOf(first);
    await client.query(
      `CREATE TABLE ${name} PARTITION OF decisions FOR VALUES FROM (${first}) TO (${first + DAY_MS})`,
    );
    return name;
  };
  const add = async (daysAgo: number, count: number, changes: Parameters<typeof decisionWith>[0] = {}) => {
    await Promise.all(
      Array.from({ length: count }, (_, n) =>
        storage.decisions.record(decisionWith({ processedAt: NOON - daysAgo * DAY_MS + n, ...changes })),
      ),
    );
  };
  const count = async () => Number((await client.query('SELECT count(*) AS n FROM decisions')).rows[0].n);
  return { storage, client, partitions, addDay, add, count };
}

const nameOf = (time: number) => `decisions_${new Date(time).toISOString().slice(0, 10).replaceAll('-', '')}`;

testPostgres('partitions are made for today and 14 days ahead, also the missing ones', async (t) => {
  const { storage, client, partitions } = await open(t);
  const expected = [...Array.from({ length: 15 }, (_, n) => nameOf(NOON + n * DAY_MS)), 'decisions_default'];
  t.deepEqual(await partitions(), expected);
  await client.query(`DROP TABLE ${nameOf(NOON + 3 * DAY_MS)}, ${nameOf(NOON + 14 * DAY_MS)}`);
  await storage.decisions.deleteBefore(NOON - 90 * DAY_MS);
  t.deepEqual(await partitions(), expected);
});

testPostgres(
  'decisions of a clock far ahead move to the partition of their day when it is made',
  async (t) => {
    const { storage, client, add, count } = await open(t);
    const day = nameOf(NOON + 14 * DAY_MS);
    await client.query(`DROP TABLE ${day}`);
    await add(-14, 3);
    await add(-40, 2);
    t.is(Number((await client.query('SELECT count(*) AS n FROM decisions_default')).rows[0].n), 5);
    await storage.decisions.deleteBefore(NOON - 90 * DAY_MS);
    t.is(Number((await client.query(`SELECT count(*) AS n FROM ${day}`)).rows[0].n), 3);
    t.is(Number((await client.query('SELECT count(*) AS n FROM decisions_default')).rows[0].n), 2);
    t.is(await count(), 5);
  },
);

testPostgres('a day that is over its retention is dropped whole, and no day before that', async (t) => {
  // As late as the database's clock: retention goes by the earlier of both.
  const { storage, partitions, addDay, add, count } = await open(t, Date.now);
  const [old, border, kept] = [await addDay(9), await addDay(8), await addDay(7)];
  await add(9, 4);
  await add(8, 4);
  await add(7, 4);
  await add(0, 4);
  // Noon of a week and a day ago: the second half of that day is to be kept.
  t.is(await storage.decisions.deleteBefore(NOON - 8 * DAY_MS), 4);
  t.false((await partitions()).includes(old));
  t.true((await partitions()).includes(border));
  t.is(await count(), 12);
  t.is(await storage.decisions.deleteBefore(NOON - 7.5 * DAY_MS), 4);
  t.false((await partitions()).includes(border));
  t.true((await partitions()).includes(kept));
  t.is(await storage.decisions.deleteBefore(NOON - 7.5 * DAY_MS), 0);
});

testPostgres(
  'a node whose clock is forty days ahead deletes nothing of others before its time',
  async (t) => {
    const { storage, addDay, add, count } = await open(t, () => NOON + 40 * DAY_MS);
    await addDay(20);
    await addDay(35);
    await add(20, 5);
    await add(35, 5);
    await storage.decisions.deleteBefore(NOON + 40 * DAY_MS - 30 * DAY_MS);
    t.is(await count(), 5);
  },
);

testPostgres('a long query of a page does not hold up signups behind the end of a day', async (t) => {
  const { storage, client, addDay, add, count } = await open(t);
  await addDay(9);
  await add(9, 4);
  await client.query('BEGIN');
  await client.query('SELECT count(*) FROM decisions');
  await t.throwsAsync(storage.decisions.deleteBefore(NOON - 8 * DAY_MS), { name: 'StorageBusyError' });
  await add(0, 4);
  await client.query('COMMIT');
  t.is(await storage.decisions.deleteBefore(NOON - 8 * DAY_MS), 4);
  t.is(await count(), 4);
});

testPostgres(
  'above the number of decisions the oldest days are dropped, and at least that number stays',
  async (t) => {
    const { storage, client, addDay, add, count } = await open(t);
    for (const daysAgo of [3, 2, 1]) await addDay(daysAgo);
    for (const daysAgo of [3, 2, 1, 0]) await add(daysAgo, 100);
    // PostgreSQL does this by itself after a while.
    await client.query('ANALYZE decisions');
    t.deepEqual((await storage.decisions.trim(GENEROUS)).deleted, []);
    t.deepEqual(await storage.decisions.trim({ ...GENEROUS, max_decisions: 250 }), {
      deleted: [{ bound: 'max_decisions', count: 100 }],
      hasMore: false,
    });
    t.is(await count(), 300);
    t.like((await storage.decisions.trims())[0], { bound: 'max_decisions', deleted: 100 });
    t.deepEqual((await storage.decisions.trim({ ...GENEROUS, max_size: 1 })).deleted, [
      { bound: 'max_size', count: 200 },
    ]);
    t.is(await count(), 100, 'today stays');
  },
);

testPostgres('tables of another program in another schema do not count for the size', async (t) => {
  const { storage, client, addDay, add } = await open(t);
  await addDay(1);
  await add(1, 10);
  const bytesOf = async (size: string) => {
    const { rows } = await client.query<{ bytes: string }>(`SELECT ${size} AS bytes`);
    return Number(rows[0]?.bytes);
  };
  const own = await bytesOf('pg_database_size(current_database())');
  await client.query('CREATE SCHEMA shop');
  await client.query(
    `CREATE TABLE shop.orders AS SELECT repeat(md5(n::text), 20) AS note FROM generate_series(1, 20000) n`,
  );
  t.true((await bytesOf('pg_database_size(current_database())')) > 1.5 * own);
  t.deepEqual((await storage.decisions.trim({ ...GENEROUS, max_size: own })).deleted, []);
  await client.query(`CREATE TABLE notes AS SELECT * FROM shop.orders`);
  t.is((await storage.decisions.trim({ ...GENEROUS, max_size: own })).deleted.length, 1);
});

testPostgres('the oldest decisions of test keys are deleted above their own bound', async (t) => {
  const { storage, addDay, add, count } = await open(t);
  await addDay(1);
  await add(1, 30, { test: true });
  await add(0, 30, { test: true });
  await add(1, 10);
  const { deleted } = await storage.decisions.trim({ ...GENEROUS, max_test_decisions: 40 });
  t.deepEqual(deleted, [{ bound: 'max_test_decisions', count: 21 }]);
  t.is(await count(), 49);
  t.deepEqual((await storage.decisions.trim({ ...GENEROUS, max_test_decisions: 40 })).deleted, []);
});
