import test from 'ava';
import { Kysely, SqliteDialect, sql } from 'kysely';
import { migrate } from '../../../src/storage/engine/migrate.ts';
import { openSqlite } from '../../../src/storage/engine/open-sqlite.ts';
import { sqliteFragments } from '../../../src/storage/engine/sqlite-fragments.ts';
import { SQLITE_MIGRATIONS } from '../../../src/storage/migrations/migrations.ts';
import { openStorage } from '../../../src/storage/open-storage.ts';
import type { StorageSchema } from '../../../src/storage/storage-schema.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { decisionWith, NOON } from '../decisions/decision-fixture.ts';

test('decisions from before stay as they were, and new repeats share a row', async (t) => {
  const file = `${temporaryFolder(t)}/gatekeeper.db`;
  const db = new Kysely<StorageSchema>({ dialect: new SqliteDialect({ database: openSqlite(file) }) });
  const engine = {
    ...{ name: file, db, lock: async () => {}, fragments: sqliteFragments },
    transact: <T>(work: (handle: typeof db) => Promise<T>) => work(db),
  };
  const before = SQLITE_MIGRATIONS.filter(({ version }) => version < 8);
  await migrate(engine, before, () => NOON);
  await sql`INSERT INTO decisions (request_id, processed_at, door, account_id, test, scope, route, trust_score,
      risk_level, action, mode, degraded, mailbox, network, policy_revision, data_revision, identity, detail)
    VALUES ('old', ${NOON}, 'api', 'shop', 0, 'shop', NULL, 10, 'high', 'block', 'enforce', 0, 'm', 'n', 'p', 'd',
      '{"ip":"i","site":null}', '{"examinations":{},"lists":[],"elapsedMs":1,"plain":null}')`.execute(db);
  await db.destroy();

  const records = await openStorage({ url: `sqlite:${file}`, clock: () => NOON });
  t.teardown(() => records.close());
  t.like(await records.decisions.find('old', 'shop'), { requestId: 'old', repeats: 0, lastSeenAt: null });
  const refused = { door: 'gate', route: 'web', action: 'block', mode: 'enforce' } as const;
  for (let n = 0; n < 9; n++) await records.decisions.record(decisionWith(refused));
  let rows = 0;
  for await (const _ of records.decisions.recent(0)) rows++;
  t.is(rows, 4);
});
