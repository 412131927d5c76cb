import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { Kysely, SqliteDialect } from 'kysely';
import {
  ANY_DECISION,
  type DecisionFilter,
  matches,
} from '../../../../src/storage/decisions/search/decision-filter.ts';
import { openSqlite } from '../../../../src/storage/engine/open-sqlite.ts';
import type { StorageSchema } from '../../../../src/storage/storage-schema.ts';
import { openDatabase } from '../../../helpers/empty-database.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';
import { prepareSqlite } from '../../prepare-storage.ts';
import { decisionWith, NOON } from '../decision-fixture.ts';
import { testDecisionScans } from './decision-scans.contract.ts';
import { testDecisionSearch } from './decision-search.contract.ts';

testDecisionSearch('SQLite', prepareSqlite);
testDecisionScans('SQLite', prepareSqlite);

async function open(t: ExecutionContext): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'gatekeeper-search-'));
  const file = join(folder, 'x.db');
  const records = await openDatabase(file, () => NOON);
  t.teardown(async () => {
    await records.close();
    rmSync(folder, { recursive: true });
  });
  return file;
}

test('every filter but the style reads only the index, in its order', async (t) => {
  const file = await open(t);
  const connection = openSqlite(file);
  const db = new Kysely<StorageSchema>({ dialect: new SqliteDialect({ database: connection }) });
  t.teardown(() => db.destroy());
  const everything: DecisionFilter = {
    ...{
      accountId: null,
      from: null,
      to: null,
      requestId: null,
      madeAt: null,
      levels: ['low', 'high'],
      wantedActions: ['block'],
    },
    ...{ doors: ['api'], routes: ['r'], keyIds: ['k'], codes: ['tor_ip', 'vpn_ip'], domains: ['d', 'e'] },
    ...{ network: 'n', mailbox: 'm', template: 't', userAgent: 'u', style: null, outcome: null, label: null },
    ...{ passed: true, includesTests: false },
  };
  const { sql: text, parameters } = db
    .selectFrom('decisions')
    .select(['processed_at', 'id'])
    .where('processed_at', '<', NOON)
    .where((where) => matches(where, everything))
    .orderBy('processed_at', 'desc')
    .orderBy('id', 'desc')
    .compile();
  const plan = connection.prepare(`EXPLAIN QUERY PLAN ${text}`).all(parameters) as { detail: string }[];
  t.deepEqual(
    plan.map(({ detail }) => detail),
    ['SEARCH decisions USING COVERING INDEX decisions_search (processed_at<?)'],
  );
});

test('a sample of many decisions is bounded and stands for about all of them', async (t) => {
  const file = `${temporaryFolder(t)}/x.db`;
  const records = await openDatabase(file, () => NOON);
  t.teardown(() => records.close());
  await records.decisions.record(decisionWith({ processedAt: NOON, riskLevel: 'low' }));
  const connection = openSqlite(file);
  // A tenth is at high risk, 3,000 of a decision each have a label or an outcome.
  connection.exec(`
    WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 29999)
    INSERT INTO decisions (request_id, processed_at, door, test, scope, trust_score, risk_level, degraded, network,
      policy_revision, data_revision, identity, detail, outcome, label)
    SELECT 'r' || n, ${NOON} + n, 'api', 0, 's', 90, iif(n % 10 = 7, 'high', 'low'), 0, 'n', 'p', 'd', first.identity,
      first.detail, iif(n % 10 = 3, 'verified', NULL), iif(n % 10 = 4, 'fraud', NULL)
    FROM n, decisions AS first WHERE first.id = 1`);
  connection.close();
  const sample = await records.decisionSearch.sample(ANY_DECISION);
  const sum = (wanted: (decision: (typeof sample)[number]) => boolean) =>
    sample.filter(wanted).reduce((total, { count }) => total + count, 0);
  t.true(sample.length <= 4_501, `${sample.length}`);
  t.is(new Set(sample.map(({ requestId }) => requestId)).size, sample.length);
  t.is(
    sum(({ label }) => label === 'fraud'),
    3_000,
  );
  t.is(
    sum(({ outcome }) => outcome === 'verified'),
    3_000,
  );
  const all = sum(() => true);
  t.true(Math.abs(all - 30_000) < 600, `${all}`);
  const high = sum(({ riskLevel }) => riskLevel === 'high');
  t.true(Math.abs(high - 3_000) < 600, `${high}`);
  // Of a part of the time, only that part.
  const late = await records.decisionSearch.sample({ ...ANY_DECISION, from: NOON + 29_000 });
  t.true(late.every(({ processedAt }) => processedAt >= NOON + 29_000));
  t.is(
    late.reduce((total, { count }) => total + count, 0),
    1_000,
  );
});
