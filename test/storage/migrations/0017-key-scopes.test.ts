import test from 'ava';
import { Kysely, SqliteDialect, sql } from 'kysely';
import { migrate } from '../../../src/storage/engine/migrate.ts';
import { openSqlite } from '../../../src/storage/engine/open-sqlite.ts';
import { sqliteFragments } from '../../../src/storage/engine/sqlite-fragments.ts';
import { SQLITE_MIGRATIONS } from '../../../src/storage/migrations/migrations.ts';
import { openStorage } from '../../../src/storage/open-storage.ts';
import type { StorageSchema } from '../../../src/storage/storage-schema.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

test('keys from before have no scope, and a scope of a later version gives no rights', async (t) => {
  const file = `${temporaryFolder(t)}/gatekeeper.db`;
  const db = new Kysely<StorageSchema>({ dialect: new SqliteDialect({ database: openSqlite(file) }) });
  const engine = {
    ...{ name: file, db, lock: async () => {}, fragments: sqliteFragments },
    transact: <T>(work: (handle: typeof db) => Promise<T>) => work(db),
  };
  await migrate(
    engine,
    SQLITE_MIGRATIONS.filter(({ version }) => version < 17),
    () => 0,
  );
  await sql`INSERT INTO accounts (id, name, plan, created_at) VALUES ('a', 'shop', 'hobby', 0)`.execute(db);
  for (const name of ['old', 'later'])
    await sql`INSERT INTO api_keys (id, account_id, name, sha256, last_four, test, created_at)
      VALUES (${name}, 'a', ${name}, ${name}, 'wxyz', 0, 0)`.execute(db);
  await db.destroy();

  const records = await openStorage({ url: `sqlite:${file}`, clock: () => 0 });
  t.is((await records.apiKeys.authorize('old', 0))?.scope, null);
  await records.close();
  const later = new Kysely<StorageSchema>({ dialect: new SqliteDialect({ database: openSqlite(file) }) });
  await sql`UPDATE api_keys SET scope = 'everything' WHERE name = 'later'`.execute(later);
  await later.destroy();
  const again = await openStorage({ url: `sqlite:${file}`, clock: () => 0 });
  t.teardown(() => again.close());
  t.is((await again.apiKeys.authorize('later', 0))?.scope, null);
});
