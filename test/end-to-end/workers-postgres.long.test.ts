import test, { type ExecutionContext } from 'ava';
import { connectPostgres, MISSING_POSTGRES } from '../helpers/postgres-server.ts';
import { REDIS_PROGRAMS } from '../helpers/redis-server.ts';
import { postgresDatabase } from '../storage/prepare-postgres.ts';
import { proveExactQuota, proveKills, proveOneAnswer } from './workers.contract.ts';

// Each worker writes its own decisions: PostgreSQL is what they agree in.
const missing = MISSING_POSTGRES ?? (REDIS_PROGRAMS.length === 0 ? 'Redis is missing here' : null);
const run = missing === null ? test.serial : test.serial.skip;
if (missing !== null) test.skip(`workers on PostgreSQL: ${missing}`, () => {});

async function open(t: ExecutionContext) {
  const { direct } = await postgresDatabase(t, { isEmpty: true });
  const admin = await connectPostgres(direct);
  t.teardown(() => admin.end());
  const count = async (sql: string) => Number((await admin.query(sql)).rows[0]?.count);
  return { direct, admin, count };
}

run('two workers on PostgreSQL grant a quota of 200 exactly under 400 requests', async (t) => {
  t.timeout(600_000);
  const { direct, count } = await open(t);
  await proveExactQuota(t, { quota: 200, concurrency: 100, records: direct });
  t.is(await count('SELECT count(*) FROM decisions'), 200);
  t.is(await count('SELECT sum(used) AS count FROM usage_days'), 200);
});

run('100 requests with one idempotency key over two workers on PostgreSQL get one answer', async (t) => {
  t.timeout(600_000);
  const { direct, count } = await open(t);
  await proveOneAnswer(t, 100, direct);
  t.is(await count('SELECT count(*) FROM decisions'), 1);
});

run('killed workers on PostgreSQL lose no answered decision and write none twice', async (t) => {
  t.timeout(600_000);
  const { direct, admin } = await open(t);
  const load = { perSecond: process.env.CI ? 100 : 30, kills: 2, scrapes: 4 };
  const { answeredIds, unanswered } = await proveKills(t, { ...load, records: direct });
  const { rows } = await admin.query<{ id: string }>('SELECT request_id::text AS id FROM decisions');
  const stored = new Set(rows.map(({ id }) => id));
  t.is(stored.size, rows.length, 'no decision is stored twice');
  t.deepEqual(
    answeredIds.filter((id) => !stored.has(id)),
    [],
    'every answered decision is stored',
  );
  t.true(answeredIds.length > 0);
  t.true(rows.length <= answeredIds.length + unanswered, `${rows.length} rows`);
  const { rows: used } = await admin.query('SELECT sum(used)::int AS count FROM usage_days');
  t.is(used[0]?.count, rows.length, 'each stored decision is counted once');
  t.log(`${rows.length} rows, ${answeredIds.length} answered, ${unanswered} unanswered`);
});
