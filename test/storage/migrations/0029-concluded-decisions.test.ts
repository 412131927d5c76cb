import test from 'ava';
import { Kysely, SqliteDialect, sql } from 'kysely';
import { migrate } from '../../../src/storage/engine/migrate.ts';
import { openSqlite } from '../../../src/storage/engine/open-sqlite.ts';
import { sqliteFragments } from '../../../src/storage/engine/sqlite-fragments.ts';
import { SQLITE_MIGRATIONS } from '../../../src/storage/migrations/migrations.ts';
import { openStorage } from '../../../src/storage/open-storage.ts';
import type { StorageSchema } from '../../../src/storage/storage-schema.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { NOON } from '../decisions/decision-fixture.ts';

test('earlier verifications and labels count from the time of their decision', async (t) => {
  const file = `${temporaryFolder(t)}/gatekeeper.db`;
  const db = new Kysely<StorageSchema>({ dialect: new SqliteDialect({ database: openSqlite(file) }) });
  const engine = {
    ...{ name: file, db, lock: async () => {}, fragments: sqliteFragments },
    transact: <T>(work: (handle: typeof db) => Promise<T>) => work(db),
  };
  await migrate(
    engine,
    SQLITE_MIGRATIONS.filter(({ version }) => version < 29),
    () => NOON,
  );
  const add = (id: string, outcome: string | null, label: string | null) =>
    sql`
    INSERT INTO decisions (request_id, processed_at, door, test, scope, trust_score, risk_level, mode,
      degraded, network, codes, policy_revision, data_revision, identity, detail, outcome, label)
    VALUES (${id}, ${NOON}, 'gate', 0, 'gate', 50, 'medium', 'enforce', 0, '203.0.113.0/24', ' ', 'p', 'd',
      '{"ip":"h","site":null}', '{}', ${outcome}, ${label})`.execute(db);
  await add('verified', 'verified', null);
  await add('labelled', null, 'fraud');
  await add('open', null, null);
  await db.destroy();

  const records = await openStorage({ url: `sqlite:${file}`, clock: () => NOON });
  t.teardown(() => records.close());
  const concluded = [];
  for await (const { outcome, label, concludedAt } of records.decisions.concluded(0)) {
    concluded.push([outcome, label, concludedAt]);
  }
  t.deepEqual(concluded, [
    ['verified', null, NOON],
    [null, 'fraud', NOON],
  ]);
});
