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

test('decisions from before separate the action taken from the required action', async (t) => {
  const file = `${temporaryFolder(t)}/gatekeeper.db`;
  const db = new Kysely<StorageSchema>({ dialect: new SqliteDialect({ database: openSqlite(file) }) });
  const engine = {
    ...{ name: file, db, lock: async () => {}, fragments: sqliteFragments },
    transact: <T>(work: (handle: typeof db) => Promise<T>) => work(db),
  };
  await migrate(
    engine,
    SQLITE_MIGRATIONS.filter(({ version }) => version < 12),
    () => NOON,
  );
  const detail = JSON.stringify({
    examinations: decisionWith().examinations,
    lists: [],
    elapsedMs: 1,
    plain: null,
  });
  const add = (id: string, action: string | null, mode: string | null) =>
    sql`
    INSERT INTO decisions (request_id, processed_at, door, test, scope, trust_score, risk_level, action, mode,
      degraded, network, codes, policy_revision, data_revision, identity, detail, account_id)
    VALUES (${id}, ${NOON}, 'gate', 0, 'gate', 30, 'high', ${action}, ${mode}, 0, '203.0.113.0/24', ' ', 'p', 'd',
      '{"ip":"h","site":null}', ${detail}, 'shop')`.execute(db);
  await add('enforced', 'block', 'enforce');
  await add('watched', 'block', 'monitor');
  await add('advised', null, null);
  await db.destroy();

  const records = await openStorage({ url: `sqlite:${file}`, clock: () => NOON });
  t.teardown(() => records.close());
  const actions = async (id: string) => {
    const found = await records.decisions.find(id, 'shop');
    return [found?.wantedAction, found?.action];
  };
  t.deepEqual(await actions('enforced'), ['block', 'block']);
  t.deepEqual(await actions('watched'), ['block', 'forward']);
  t.deepEqual(await actions('advised'), [null, null]);
});
