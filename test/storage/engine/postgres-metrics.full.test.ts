import anyTest, { type TestFn } from 'ava';
import { openStorage } from '../../../src/storage/open-storage.ts';
import { createMetrics } from '../../../src/telemetry/metrics.ts';
import { openFaultProxy } from '../../helpers/fault-proxy.ts';
import { connectPostgres, MISSING_POSTGRES } from '../../helpers/postgres-server.ts';
import { decisionWith, NOON } from '../decisions/decision-fixture.ts';
import { postgresDatabase } from '../prepare-postgres.ts';

const test = anyTest as TestFn;
const testPostgres = MISSING_POSTGRES === null ? test : test.skip;
if (MISSING_POSTGRES !== null) test.skip(`metrics of PostgreSQL: ${MISSING_POSTGRES}`, () => {});

type Metrics = ReturnType<typeof createMetrics>;

/** How many calls were timed, by operation. */
function callsOf({ engineCalls }: Metrics): ReadonlyMap<string, number> {
  return new Map(
    Array.from(engineCalls.series(), ({ operation, took }) => [
      operation,
      took.counts.reduce((sum, count) => sum + count, 0),
    ]),
  );
}

testPostgres('groups of decisions, statements, pages and waits for a connection are timed', async (t) => {
  const { direct: url } = await postgresDatabase(t);
  const metrics = createMetrics();
  const storage = await openStorage({ url, clock: () => NOON, metrics: metrics.records });
  t.teardown(() => storage.close());
  const before = callsOf(metrics);
  await storage.decisions.record(decisionWith());
  await storage.decisions.record(decisionWith());
  await storage.accounts.create({ name: 'shop', plan: 'pro' });
  await storage.partitionsAhead();
  const after = callsOf(metrics);
  const more = (operation: string) => (after.get(operation) ?? 0) - (before.get(operation) ?? 0);
  t.is(more('write_group'), 2);
  t.is(more('page'), 1);
  t.true(more('statement') >= 3, 'begin, insert, commit');
  t.true(more('connect') >= 4);
});

testPostgres('days ahead are those whose partition exists', async (t) => {
  const { direct: url } = await postgresDatabase(t);
  const storage = await openStorage({ url, clock: () => NOON });
  const client = await connectPostgres(url);
  t.teardown(() => Promise.all([storage.close(), client.end()]));
  t.is(await storage.partitionsAhead(), 14);
  const day = new Date(NOON + 5 * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');
  await client.query(`DROP TABLE decisions_${day}`);
  t.is(await storage.partitionsAhead(), 13);
});

testPostgres(
  'a group whose connection ends after it was sent is counted with what became of it',
  async (t) => {
    const { direct } = await postgresDatabase(t);
    const url = new URL(direct);
    const proxy = await openFaultProxy(Number(url.port));
    url.port = String(proxy.port);
    const metrics = createMetrics();
    const storage = await openStorage({ url: url.href, clock: () => NOON, metrics: metrics.records });
    t.teardown(async () => {
      await storage.close();
      await proxy.close();
    });
    await storage.decisions.record(decisionWith());
    proxy.cutAfter(0, 'answers');
    await storage.decisions.record(decisionWith());
    const outcomes = metrics.counters.find(({ name }) => name === 'records_in_doubt_total');
    t.deepEqual(
      [...(outcomes?.series() ?? [])],
      [
        [['written'], 1],
        [['not_written'], 0],
      ],
    );
    t.is(callsOf(metrics).get('settle_group'), 1);
  },
);
