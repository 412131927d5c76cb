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

test('usage from before keys were counted still counts', async (t) => {
  const file = `${temporaryFolder(t)}/gatekeeper.db`;
  const db = new Kysely<StorageSchema>({ dialect: new SqliteDialect({ database: openSqlite(file) }) });
  const engine = {
    ...{ name: file, db, lock: async () => {}, fragments: sqliteFragments },
    transact: <T>(work: (handle: typeof db) => Promise<T>) => work(db),
  };
  const before = SQLITE_MIGRATIONS.filter(({ version }) => version < 7);
  await migrate(engine, before, () => NOON);
  await sql`INSERT INTO accounts (id, name, plan, created_at) VALUES ('1', 'shop', 'pro', 0)`.execute(db);
  await sql`INSERT INTO usage_days (account_id, day, used) VALUES ('1', '2026-11-20', 7), ('1', '2026-11-21', 5)`.execute(
    db,
  );
  await db.destroy();

  const records = await openStorage({ url: `sqlite:${file}`, clock: () => NOON });
  t.teardown(() => records.close());
  t.deepEqual(await records.quotas.usage('1', NOON), {
    used: 12,
    days: [
      { date: '2026-11-20', used: 7 },
      { date: '2026-11-21', used: 5 },
    ],
  });
  t.deepEqual([...(await records.quotas.usageByKey('1', NOON))], [['', 12]]);
});
