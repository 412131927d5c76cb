import test, { type ExecutionContext } from 'ava';
import { createScoringLedger } from '../../../src/storage/decisions/create-scoring-ledger.ts';
import type { DecisionRecord } from '../../../src/storage/decisions/decision-record.ts';
import { toCountedColumns } from '../../../src/storage/decisions/decision-row.ts';
import { createSqliteScoring } from '../../../src/storage/decisions/sqlite-scoring.ts';
import type { StorageEngine } from '../../../src/storage/engine/engine.ts';
import { openSqliteEngine } from '../../../src/storage/engine/sqlite-engine.ts';
import { SQLITE_MIGRATIONS } from '../../../src/storage/migrations/migrations.ts';
import { createAggregation } from '../../../src/storage/rollups/aggregate-decisions.ts';
import { createFreshDecisions } from '../../../src/storage/rollups/fresh-decisions.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { decisionWith, NOON } from '../decisions/decision-fixture.ts';

async function openEngine(t: ExecutionContext, folder = temporaryFolder(t)) {
  const engine = await openSqliteEngine(`${folder}/gatekeeper.db`, SQLITE_MIGRATIONS, () => NOON);
  t.teardown(() => engine.close());
  const fresh = createFreshDecisions();
  const scoring = createSqliteScoring(engine.connection, fresh);
  const { record } = createScoringLedger(scoring, scoring.startQueue);
  return { engine, fresh, record, folder };
}

async function countAll({ db }: StorageEngine): Promise<number> {
  const { all } = await db
    .selectFrom('rollup_decisions')
    .select(({ fn }) => fn.sum<number>('count').as('all'))
    .where('scope', '=', '*')
    .executeTakeFirstOrThrow();
  return all ?? 0;
}

test('decisions of this process are counted without reading them again', async (t) => {
  const { engine, fresh, record } = await openEngine(t);
  let reads = 0;
  const watched = {
    ...engine,
    get reader() {
      reads += 1;
      return engine.reader;
    },
  };
  const aggregate = createAggregation(watched, fresh).aggregate;
  await record(decisionWith());
  t.deepEqual(await aggregate(), { aggregated: 1, hasMore: false });
  t.true(reads > 0, 'what was there before the first time is read');
  reads = 0;
  for (let round = 2; round <= 4; round++) {
    await Promise.all([record(decisionWith()), record(decisionWith({ test: true }))]);
    t.deepEqual(await aggregate(), { aggregated: 2, hasMore: false });
  }
  t.is(await countAll(engine), 7);
  t.is(reads, 0);
});

test('decisions of another process are counted from the table', async (t) => {
  const { engine, fresh, record, folder } = await openEngine(t);
  const other = await openEngine(t, folder);
  const aggregate = createAggregation(engine, fresh).aggregate;
  for (let round = 1; round <= 5; round++) {
    await record(decisionWith());
    await other.record(decisionWith());
    await record(decisionWith());
    await aggregate();
    t.is(await countAll(engine), 3 * round);
  }
});

test('decisions that all differ are counted in parts, so that no part blocks for long', async (t) => {
  const { engine, fresh, record } = await openEngine(t);
  const { aggregate, countPending } = createAggregation(engine, fresh);
  const decisions = Array.from({ length: 2_000 }, (_, i) => decisionWith({ accountId: `account-${i}` }));
  await Promise.all(decisions.map(record));
  const first = await aggregate();
  t.true(first.hasMore);
  t.true(first.aggregated < 200);
  while ((await aggregate()).hasMore);
  t.is(await countPending(), 0);
  t.is(await countAll(engine), 2_000);
});

test('too many kinds of decisions are not held', (t) => {
  const fresh = createFreshDecisions();
  const add = (id: number, given: Partial<DecisionRecord>) => {
    const decision = decisionWith(given);
    fresh.add(id, toCountedColumns(decision), decision.elapsedMs);
  };
  for (let id = 1; id <= 10_000; id++) add(id, { accountId: `account ${id}` });
  t.is(fresh.drain(), null);
  add(10_001, {});
  t.deepEqual(fresh.drain()?.range, { after: 10_000, upTo: 10_001 });
  t.is(fresh.drain(), null);
});
