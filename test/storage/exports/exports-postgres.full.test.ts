import test from 'ava';
import { openPostgresEngine } from '../../../src/storage/engine/postgres-engine.ts';
import { createPostgresSettledId } from '../../../src/storage/exports/postgres-settled-id.ts';
import { POSTGRES_MIGRATIONS } from '../../../src/storage/migrations/migrations.ts';
import { openStorage } from '../../../src/storage/open-storage.ts';
import { connectPostgres, MISSING_POSTGRES } from '../../helpers/postgres-server.ts';
import { until } from '../../helpers/until.ts';
import { decisionWith } from '../decisions/decision-fixture.ts';
import { forPostgres, postgresDatabase } from '../prepare-postgres.ts';
import { testExports } from './exports.contract.ts';

forPostgres('exports', testExports);

const testPostgres = MISSING_POSTGRES === null ? test : test.skip;

testPostgres('an id that a running transaction has drawn is not settled', async (t) => {
  const { direct } = await postgresDatabase(t);
  const engine = await openPostgresEngine(direct, POSTGRES_MIGRATIONS, () => 0);
  t.teardown(() => engine.close());
  const admin = await connectPostgres(direct);
  t.teardown(() => admin.end());
  const settledId = createPostgresSettledId(engine.pool);
  await admin.query("SELECT nextval('decisions_id')");
  const before = await settledId();
  // As a group of decisions does: the table is locked for writing, and then ids are drawn.
  await admin.query('BEGIN; DELETE FROM decisions WHERE processed_at = 0');
  const { rows } = await admin.query<{ readonly id: string }>("SELECT nextval('decisions_id') AS id");
  t.is(await settledId(), before);
  await admin.query('COMMIT');
  t.is(await settledId(), Number(rows[0]?.id));
});

testPostgres('a node whose clock is ahead takes no lease and gives up no decision', async (t) => {
  const { direct } = await postgresDatabase(t);
  const open = async (clock: () => number) => {
    const storage = await openStorage({ url: direct, clock });
    t.teardown(() => storage.close());
    return storage;
  };
  const [node, ahead] = [await open(Date.now), await open(() => Date.now() + 40 * 86_400_000)];
  const holder = { name: 'warehouse', owner: 'a' };
  await node.exports.add('warehouse');
  t.true(await node.exports.lease(holder, 60_000));
  t.false(await ahead.exports.lease({ ...holder, owner: 'b' }, 60_000));
  await node.exports.release(holder);
  t.true(await ahead.exports.lease({ ...holder, owner: 'b' }, 1));
  await until(() => node.exports.lease(holder, 60_000));
  await node.exports.release(holder);

  t.true(await ahead.exports.lease({ ...holder, owner: 'b' }, 60_000));
  await node.decisions.record(decisionWith({ processedAt: Date.now() }));
  t.true((await node.exports.failed({ ...holder, owner: 'b' })) < 60_000);
  t.true((await ahead.exports.failed({ ...holder, owner: 'b' })) < 60_000);
  t.is((await ahead.exports.giveUp({ ...holder, owner: 'b' }, 3 * 86_400_000)).count, 0);
});
