import test, { type ExecutionContext } from 'ava';
import { createScoringLedger } from '../../../src/storage/decisions/create-scoring-ledger.ts';
import type { DecisionRecord } from '../../../src/storage/decisions/decision-record.ts';
import { toCountedColumns } from '../../../src/storage/decisions/decision-row.ts';
import { createSqliteScoring } from '../../../src/storage/decisions/sqlite-scoring.ts';
import type { StorageEngine } from '../../../src/storage/engine/engine.ts';
import { openSqliteEngine } from '../../../src/storage/engine/sqlite-engine.ts';
import { SQLITE_MIGRATIONS } from '../../../src/storage/migrations/migrations.ts';
import { createAggregation } from '../../../src/storage/rollups/aggregate-decisions.ts';
import { HOUR_MS } from '../../../src/storage/rollups/decision-groups.ts';
import { createDecisionTally, createFreshDecisions } from '../../../src/storage/rollups/fresh-decisions.ts';
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

test('hours, accounts and routes that take turns are counted apart', (t) => {
  const tally = createDecisionTally();
  const rows = [NOON, NOON + HOUR_MS].flatMap((processedAt) =>
    [null, 'first', 'second'].flatMap((accountId) =>
      [null, 'signup', 'newsletter'].flatMap((route) =>
        [false, true].map((test) => toCountedColumns(decisionWith({ processedAt, accountId, route, test }))),
      ),
    ),
  );
  const TIMES = 3;
  for (let time = 0; time < TIMES; time++) for (const row of rows) tally.add(row, 1);
  const { decisions, reasons, durations } = tally.groups();
  const origin = (group: { hour: number; account_id: string | null; route: string | null }) =>
    `${group.hour} ${group.account_id} ${group.route}`;
  const counted = rows.filter(({ test }) => test === 0).length;
  t.is(decisions.length, rows.length);
  t.is(new Set(decisions.map((group) => `${origin(group)} ${group.test}`)).size, rows.length);
  t.is(durations.length, counted);
  t.is(new Set(durations.map(origin)).size, counted);
  t.is(new Set(reasons.map(origin)).size, counted);
  t.is(new Set(reasons.map((group) => `${origin(group)} ${group.code}`)).size, reasons.length);
  t.true([...decisions, ...durations, ...reasons].every(({ count }) => count === TIMES));
  t.is(tally.size, rows.length + 2 * counted);
});
