import test, { type ExecutionContext } from 'ava';
import { createDatabaseClock } from '../../../src/storage/fleet/database-clock.ts';
import { openNodeReporter } from '../../../src/storage/fleet/node-reporter.ts';
import { openStorage } from '../../../src/storage/open-storage.ts';
import { openFaultProxy } from '../../helpers/fault-proxy.ts';
import { connectPostgres, MISSING_POSTGRES } from '../../helpers/postgres-server.ts';
import { until } from '../../helpers/until.ts';
import { postgresDatabase } from '../prepare-postgres.ts';

const testPostgres = MISSING_POSTGRES === null ? test : test.skip;
if (MISSING_POSTGRES !== null) test.skip(`reports of nodes: ${MISSING_POSTGRES}`, () => {});

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const REPORT = {
  ...{ version: '0.1.0', configuration: 'c1', data: 'd1', clockSkewMs: 0 },
  degraded: ['counters', 'restart'],
};

async function storeOn(t: ExecutionContext, url: string, clock = Date.now) {
  const records = await openStorage({ url, clock });
  t.teardown(() => records.close());
  if (!records.fleet) throw new Error('PostgreSQL has nodes');
  const time = createDatabaseClock(clock);
  const following = await time.follow(records.now);
  t.teardown(() => following.close());
  return { records, nodes: records.fleet.nodes, clockSkewMs: time.skewMs };
}

/** With everything that it logged. */
function reporterOn({ nodes: store, clockSkewMs }: Awaited<ReturnType<typeof storeOn>>) {
  const said: string[] = [];
  const note = (_facts: object, message: string) => void said.push(message);
  const reporter = openNodeReporter({
    ...{ store, clockSkewMs, log: { info: note, warn: note } },
    describe: () => REPORT,
  });
  return { ...reporter, said };
}

testPostgres(
  'a report is listed, keeps the time since which its revisions hold, and is removed',
  async (t) => {
    const { direct } = await postgresDatabase(t);
    const { nodes } = await storeOn(t, direct);
    const admin = await connectPostgres(direct);
    t.teardown(() => admin.end());
    t.deepEqual(await nodes.list(), []);
    await nodes.report({ ...REPORT, id: 'b', name: 'web-2/7' });
    await nodes.report({ ...REPORT, id: 'a', name: 'web-1/7', clockSkewMs: null, degraded: [] });
    await admin.query(
      "UPDATE nodes SET configuration_since = now() - interval '1 hour', data_since = now() - interval '2 hours'",
    );
    await nodes.report({ ...REPORT, id: 'b', name: 'web-2/7', data: 'd2' });
    const [one, two, ...others] = await nodes.list();
    t.deepEqual(others, []);
    t.like(one, { id: 'a', name: 'web-1/7', version: '0.1.0', clockSkewMs: null, degraded: [] });
    t.like(two, { id: 'b', data: 'd2', clockSkewMs: 0, degraded: ['counters', 'restart'] });
    t.true((two?.configurationForMs ?? 0) >= 60 * MINUTE_MS, 'the configuration is the same');
    t.true((two?.dataForMs ?? Number.NaN) < 60 * MINUTE_MS, 'the data is new');
    t.true((one?.dataForMs ?? 0) >= 120 * MINUTE_MS);
    t.true(Math.abs((two?.startedAt ?? 0) - Date.now()) < 10 * MINUTE_MS);

    await admin.query("UPDATE nodes SET seen_at = now() - interval '9 minutes' WHERE id = 'a'");
    t.like((await nodes.list())[0], { id: 'a' }, 'a node that died is still named');
    await admin.query("UPDATE nodes SET seen_at = now() - interval '11 minutes' WHERE id = 'a'");
    t.is((await nodes.list()).length, 1);
    await nodes.report({ ...REPORT, id: 'b', name: 'web-2/7' });
    t.is((await admin.query('SELECT FROM nodes')).rowCount, 1, 'its row is gone');
    await nodes.remove('b');
    t.deepEqual(await nodes.list(), []);
  },
);

testPostgres('fifty reports at once, of ten nodes, leave ten rows', async (t) => {
  const { direct } = await postgresDatabase(t);
  const stores = [await storeOn(t, direct), await storeOn(t, direct)];
  await Promise.all(
    Array.from({ length: 50 }, (_, i) => {
      const id = String(i % 10);
      return stores[i % 2]?.nodes.report({ ...REPORT, id, name: `web-${id}` });
    }),
  );
  t.is((await stores[0]?.nodes.list())?.length, 10);
});

testPostgres('each node finds the clock that is off, says so once, and says when it is over', async (t) => {
  const { direct } = await postgresDatabase(t);
  const right = reporterOn(await storeOn(t, direct));
  let offMs = 40 * DAY_MS;
  const wrong = reporterOn(await storeOn(t, direct, () => Date.now() + offMs));
  t.teardown(() => right.close());
  for (const { issues } of [right, wrong]) await until(() => issues().length > 0);
  t.is(right.issues().length, 1);
  t.regex(right.issues()[0]?.message ?? '', /^The clock of \S+\/\d+ is 40 days ahead, by the clock of the/);
  t.like(right.measure(), { alive: 2, issues: 1 });
  t.true(Math.abs((wrong.measure()?.clockSkewMs ?? 0) - offMs) < MINUTE_MS);
  offMs = 0;
  await until(() => right.issues().length === 0 && wrong.issues().length === 0);
  for (const { said } of [right, wrong]) {
    t.is(said.length, 2, said.join());
    t.is(said[1], 'an issue of the nodes is over');
  }
  await wrong.close();
  await until(() => right.measure()?.alive === 1);
});

testPostgres('a node that cannot report says so once, and reports again', async (t) => {
  const url = new URL((await postgresDatabase(t)).direct);
  const proxy = await openFaultProxy(Number(url.port));
  url.port = String(proxy.port);
  const away = await storeOn(t, url.href);
  const reporter = reporterOn(away);
  t.teardown(async () => {
    await proxy.set('pass');
    await reporter.close();
    await away.records.close();
    await proxy.close();
  });
  await until(() => reporter.measure() !== null);
  await proxy.set('refuse');
  await until(() => reporter.said.length > 0);
  await proxy.set('pass');
  const before = (await away.nodes.list())[0]?.startedAt;
  await until(async () => ((await away.nodes.list())[0]?.seenAgoMs ?? 60_000) < 1_000);
  t.is((await away.nodes.list())[0]?.startedAt, before, 'it is the same row');
  t.deepEqual(reporter.said, ['this node could not report to the others']);
});
