import anyTest, { type ExecutionContext, type TestFn } from 'ava';
import { sql } from 'kysely';
import { openPostgresEngine, type PostgresEngine } from '../../../src/storage/engine/postgres-engine.ts';
import { POSTGRES_MIGRATIONS } from '../../../src/storage/migrations/migrations.ts';
import { StorageAwayError, StorageInDoubtError } from '../../../src/storage/storage-error.ts';
import { openFaultProxy } from '../../helpers/fault-proxy.ts';
import { connectPostgres, MISSING_POSTGRES, postgresCluster, urlOf } from '../../helpers/postgres-server.ts';
import { postgresDatabase } from '../prepare-postgres.ts';

const test = anyTest as TestFn;
const testPostgres = MISSING_POSTGRES === null ? test : test.skip;
if (MISSING_POSTGRES !== null) test.skip(`faults of PostgreSQL: ${MISSING_POSTGRES}`, () => {});

const clock = () => 1_000;
const open = async (t: ExecutionContext, url: string): Promise<PostgresEngine> => {
  const engine = await openPostgresEngine(url, POSTGRES_MIGRATIONS, clock);
  t.teardown(() => engine.close());
  return engine;
};

for (const door of ['direct', 'pooled'] as const) {
  testPostgres(`${door}: connections that the server ends are replaced`, async (t) => {
    const { [door]: url, name } = await postgresDatabase(t);
    const engine = await open(t, url);
    const { port } = await postgresCluster();
    const admin = await connectPostgres(urlOf(port, 'postgres'));
    t.teardown(() => admin.end());
    const end = () =>
      admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
    await t.throwsAsync(
      engine.transact(async (trx) => {
        await trx.insertInto('policies').values({ revision: 'r', policy: '{}' }).execute();
        await end();
        await trx.selectFrom('policies').selectAll().execute();
      }),
      { instanceOf: StorageAwayError },
    );
    await end();
    await until(() =>
      engine.db
        .selectFrom('policies')
        .selectAll()
        .execute()
        .then((rows) => rows.length === 0),
    );
    await until(() =>
      engine.reader
        .selectFrom('policies')
        .selectAll()
        .execute()
        .then(() => true),
    );
    t.pass();
  });

  testPostgres(`${door}: a connection that ends during the commit leaves a doubt, and says so`, async (t) => {
    const { [door]: url, direct } = await postgresDatabase(t);
    const engine = await open(t, url);
    const admin = await connectPostgres(direct);
    t.teardown(() => admin.end());
    await admin.query(`CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$`);
    await admin.query(`CREATE CONSTRAINT TRIGGER dies AFTER INSERT ON policies DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION die()`);
    const insert = () =>
      engine.transact((trx) => trx.insertInto('policies').values({ revision: 'r', policy: '{}' }).execute());
    await t.throwsAsync(insert(), { instanceOf: StorageInDoubtError });
    await admin.query('DROP TRIGGER dies ON policies');
    await until(() => insert().then(() => true));
    t.is((await engine.db.selectFrom('policies').selectAll().execute()).length, 1);
  });
}

testPostgres('a server that falls silent is given up, and used again when it answers', async (t) => {
  const { port } = await postgresCluster();
  const { name } = await postgresDatabase(t);
  const proxy = await openFaultProxy(port);
  t.teardown(() => proxy.close());
  const engine = await open(t, `${urlOf(proxy.port, name)}?connect_timeout=2`);
  const read = () => engine.db.selectFrom('policies').selectAll().execute();
  await read();
  proxy.set('silent');
  // First on the connection that is open, which the limit of the statement ends, then on new ones.
  await t.throwsAsync(read(), { instanceOf: StorageAwayError });
  await t.throwsAsync(read(), { instanceOf: StorageAwayError });
  proxy.set('pass');
  await until(() => read().then(() => true));
  t.pass();
});

testPostgres('a server that became a replica is left', async (t) => {
  const { direct, name } = await postgresDatabase(t);
  const engine = await open(t, direct);
  const admin = await connectPostgres(direct);
  t.teardown(() => admin.end());
  const insert = () =>
    engine.transact((trx) => trx.insertInto('policies').values({ revision: 'r', policy: '{}' }).execute());
  const backend = async () => {
    const { rows } = await sql<{ readonly pid: number }>`SELECT pg_backend_pid() AS pid`.execute(engine.db);
    return rows[0]?.pid;
  };
  await admin.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  const { rows } = await admin.query('SELECT pid FROM pg_stat_activity WHERE datname = $1', [name]);
  await admin.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()',
    [name],
  );
  t.true(rows.length > 0);
  await until(() => backend().then((pid) => pid !== undefined));
  const before = await backend();
  await t.throwsAsync(insert(), { instanceOf: StorageAwayError });
  await admin.query('SET default_transaction_read_only = off');
  await admin.query(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
  // The connections that answered so are not used again: they would go on answering so.
  await t.notThrowsAsync(insert());
  t.not(await backend(), before);
});

testPostgres('the defaults of the role or the database do not change how statements run', async (t) => {
  const { direct, name } = await postgresDatabase(t);
  const admin = await connectPostgres(direct);
  t.teardown(() => admin.end());
  await admin.query(`ALTER DATABASE ${name} SET default_transaction_isolation = 'serializable'`);
  await admin.query(`ALTER DATABASE ${name} SET standard_conforming_strings = off`);
  const engine = await open(t, direct);
  for (const db of [engine.db, engine.reader]) {
    const { rows } = await sql<{ readonly isolation: string; readonly backslash: string }>`
      SELECT current_setting('transaction_isolation') AS isolation, '\\' AS backslash`.execute(db);
    t.deepEqual(rows, [{ isolation: 'read committed', backslash: '\\' }]);
  }
});

testPostgres('a transaction that must wait too long ends with a busy error', async (t) => {
  const { direct } = await postgresDatabase(t);
  const engine = await open(t, direct);
  const admin = await connectPostgres(direct);
  t.teardown(() => admin.end());
  await admin.query('BEGIN; LOCK TABLE policies');
  await t.throwsAsync(
    engine.transact((trx) => trx.insertInto('policies').values({ revision: 'r', policy: '{}' }).execute()),
    { name: 'StorageBusyError' },
  );
});

async function until(isDone: () => Promise<boolean>): Promise<void> {
  for (let left = 200; left > 0; left--) {
    if (await isDone().catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('it did not come about');
}
