import test from 'ava';
import { COPIED_TABLES } from '../../../src/storage/copy/copied-tables.ts';
import { isEqual } from '../../../src/storage/copy/copy-records.ts';
import { openEngine } from '../../../src/storage/open-engine.ts';
import { connectPostgres, MISSING_POSTGRES } from '../../helpers/postgres-server.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { NOON } from '../decisions/decision-fixture.ts';
import { postgresDatabase } from '../prepare-postgres.ts';
import { copy, everything, openRecords } from './compared-records.ts';
import { testCopy } from './copy-records.contract.ts';
import { filledRecords } from './filled-records.ts';

if (MISSING_POSTGRES === null) {
  testCopy('PostgreSQL', async (t) => (await postgresDatabase(t, { isEmpty: true })).direct);
  testCopy('PgBouncer', async (t) => (await postgresDatabase(t)).pooled);
} else {
  test.skip(`copies into PostgreSQL: ${MISSING_POSTGRES}`, () => {});
}

const testPostgres = MISSING_POSTGRES === null ? test : test.skip;

for (const address of ['direct', 'pooled'] as const) {
  testPostgres(`${address}: a copy of a copy is back in SQLite as it was`, async (t) => {
    const from = await filledRecords(t, 1_500);
    const { [address]: between } = await postgresDatabase(t, { isEmpty: true });
    const to = `sqlite:${temporaryFolder(t)}/back.db`;
    const there = await copy({ from, to: between });
    const { report } = await copy({ from: between, to });
    t.true(report.tables.every(isEqual));
    t.deepEqual(
      report.tables.map(({ name, target }) => [name, target]),
      there.report.tables.map(({ name, source }) => [name, source]),
    );
    t.false(report.wasWritten, 'no node runs on it');
    t.deepEqual(await everything(await openRecords(t, to)), await everything(await openRecords(t, from)));

    const nodes = await openRecords(t, between);
    await nodes.fleet?.leaseJobs('a node', 60_000);
    t.true((await copy({ from: between, to: `${to}.2` })).report.wasWritten, 'a node runs on it');
  });
}

testPostgres('a copy has a partition for each day, which retention drops', async (t) => {
  const { direct } = await postgresDatabase(t);
  await copy({ from: await filledRecords(t, 1_000), to: direct });
  const admin = await connectPostgres(direct);
  t.teardown(() => admin.end());
  const partitions = async () =>
    (await admin.query("SELECT relname FROM pg_class WHERE relname ~ '^decisions_[0-9]{8}$'")).rowCount ?? 0;
  const before = await partitions();
  t.is((await admin.query('SELECT 1 FROM decisions_default')).rowCount, 0);
  t.true(before > 40, `${before} partitions`);
  const storage = await openRecords(t, direct);
  await storage.decisions.deleteBefore(NOON - 10 * 86_400_000);
  t.is(await partitions(), before - 30);
});

testPostgres(
  'every table of PostgreSQL is copied, but for those about versions, nodes and sums',
  async (t) => {
    const engine = await openEngine((await postgresDatabase(t)).direct, Date.now);
    t.teardown(() => engine.close());
    const { rows } = await engine.fragments.tableNames.execute(engine.db);
    const others = [
      'schema_versions',
      'rollup_deltas',
      'quota_months',
      'scoring_writers',
      'fleet_secrets',
      'jobs',
      'changes',
      'nodes',
      'feed_copies',
    ];
    t.deepEqual(
      rows
        .map(({ name }) => name)
        .filter((name) => !/^decisions_/.test(name))
        .sort(),
      [...COPIED_TABLES.map(({ name }): string => name), ...others].sort(),
    );
  },
);
