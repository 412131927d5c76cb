import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { Kysely, SqliteDialect, sql } from 'kysely';
import { fromDecisionRow } from '../../../src/storage/decisions/decision-row.ts';
import { migrate } from '../../../src/storage/engine/migrate.ts';
import { openSqlite } from '../../../src/storage/engine/open-sqlite.ts';
import { sqliteFragments } from '../../../src/storage/engine/sqlite-fragments.ts';
import { SQLITE_MIGRATIONS } from '../../../src/storage/migrations/migrations.ts';
import type { StorageSchema } from '../../../src/storage/storage-schema.ts';
import { decisionWith, NOON } from '../decisions/decision-fixture.ts';

const ROWS = 450;

test('decisions of before become searchable by their codes, and read as they did', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'gatekeeper-search-'));
  const db = new Kysely<StorageSchema>({
    dialect: new SqliteDialect({ database: openSqlite(join(folder, 'x.db')) }),
  });
  t.teardown(async () => {
    await db.destroy();
    rmSync(folder, { recursive: true });
  });
  const engine = {
    ...{ name: 'the test', db, lock: async () => {}, fragments: sqliteFragments },
    transact: <T>(work: (trx: Kysely<StorageSchema>) => Promise<T>) => db.transaction().execute(work),
  };
  await migrate(
    engine,
    SQLITE_MIGRATIONS.filter(({ version }) => version < 4),
    () => NOON,
  );
  const decision = decisionWith({
    lists: [{ verdict: 'denied', code: 'denylisted_email', evidence: 'example.com' }],
  });
  const { ip, site, template, userAgent } = { ...decision.identity, template: 'template-hash' };
  const { examinations, lists, elapsedMs, plain } = decision;
  for (let id = 1; id <= ROWS; id++) {
    await sql`INSERT INTO decisions (id, request_id, processed_at, door, test, scope, trust_score, risk_level,
      degraded, network, policy_revision, data_revision, identity, detail)
      VALUES (${id}, ${`r${id}`}, ${NOON}, 'api', 0, 'gate', 91, 'low', 0, '203.0.113.0/24', 'p', 'd',
      ${JSON.stringify({ ip, site, userAgent, template })},
      ${JSON.stringify({ examinations, lists, elapsedMs, plain })})`.execute(db);
  }

  await migrate(engine, SQLITE_MIGRATIONS, () => NOON);
  const rows = await db.selectFrom('decisions').selectAll().execute();
  t.is(rows.length, ROWS);
  for (const row of rows) {
    t.is(
      row.codes,
      ' denylisted_email corporate_email subaddressed_email ip_address_not_evaluated ' +
        'velocity_not_evaluated user_agent_not_evaluated ',
    );
    t.like(fromDecisionRow(row).identity, { ip, site, template, userAgent });
  }
});
