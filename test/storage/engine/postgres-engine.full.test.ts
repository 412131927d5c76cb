import type { ExecutionContext } from 'ava';
import anyTest, { type TestFn } from 'ava';
import { sql } from 'kysely';
import { openPostgresEngine, type PostgresEngine } from '../../../src/storage/engine/postgres-engine.ts';
import { openSqliteEngine } from '../../../src/storage/engine/sqlite-engine.ts';
import { POSTGRES_MIGRATIONS, SQLITE_MIGRATIONS } from '../../../src/storage/migrations/migrations.ts';
import { StorageAwayError } from '../../../src/storage/storage-error.ts';
import {
  connectPostgres,
  MISSING_POSTGRES,
  PASSWORD,
  postgresCluster,
  urlOf,
} from '../../helpers/postgres-server.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { postgresDatabase } from '../prepare-postgres.ts';

const test = anyTest as TestFn;
const testPostgres = MISSING_POSTGRES === null ? test : test.skip;
if (MISSING_POSTGRES !== null) test.skip(`the engine on PostgreSQL: ${MISSING_POSTGRES}`, () => {});

const clock = () => 1_000;
const open = async (t: ExecutionContext, url: string): Promise<PostgresEngine> => {
  const engine = await openPostgresEngine(url, POSTGRES_MIGRATIONS, clock);
  t.teardown(() => engine.close());
  return engine;
};

testPostgres('both engines have the same tables and columns', async (t) => {
  const { direct } = await postgresDatabase(t, { isEmpty: true });
  const postgres = await open(t, direct);
  const sqlite = await openSqliteEngine(`${temporaryFolder(t)}/a.db`, SQLITE_MIGRATIONS, clock);
  t.teardown(() => sqlite.close());
  const columns = await sql<{ name: string; columns: string }>`
    SELECT m.name, (SELECT group_concat(name, ' ') FROM (SELECT name FROM pragma_table_info(m.name) ORDER BY name)) AS columns
    FROM sqlite_schema m WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%' ORDER BY m.name`.execute(
    sqlite.db,
  );
  const others = await sql<{ name: string; columns: string }>`
    SELECT table_name::text COLLATE "C" AS name, string_agg(column_name, ' ' ORDER BY column_name COLLATE "C") AS columns
    FROM information_schema.columns WHERE table_schema = 'public'
      AND table_name NOT IN (SELECT relname FROM pg_class WHERE relispartition)
    GROUP BY 1 ORDER BY 1`.execute(postgres.db);
  // SQLite counts decisions by a cursor over their ids, PostgreSQL by what each group of decisions adds. The tables of
  // `storage/fleet` are for nodes that share records.
  const own = /^(rollup_cursor|rollup_deltas|quota_months|scoring_writers|jobs|changes|nodes|feed_copies)$/;
  t.deepEqual(
    others.rows.filter(({ name }) => !own.test(name)),
    columns.rows.filter(({ name }) => !own.test(name)),
  );
});

testPostgres('every text column compares by bytes', async (t) => {
  const { direct } = await postgresDatabase(t);
  const { rows } = await sql`SELECT table_name, column_name FROM information_schema.columns
    WHERE table_schema = 'public' AND data_type = 'text' AND collation_name IS DISTINCT FROM 'C'`.execute(
    (await open(t, direct)).db,
  );
  t.deepEqual(rows, []);
});

testPostgres('of ten nodes that start at once on an empty database, one makes the schema', async (t) => {
  const { direct, pooled } = await postgresDatabase(t, { isEmpty: true });
  const engines = await Promise.all(
    Array.from({ length: 10 }, (_, i) => open(t, i % 2 === 0 ? direct : pooled)),
  );
  const rows = await engines[0]?.db.selectFrom('schema_versions').selectAll().execute();
  t.deepEqual(
    rows?.map(({ version }) => version),
    POSTGRES_MIGRATIONS.map(({ version }) => version),
  );
});

testPostgres('a schema of a newer version is refused with a sentence', async (t) => {
  const { direct } = await postgresDatabase(t);
  const engine = await open(t, direct);
  await engine.transact((trx) =>
    trx.insertInto('schema_versions').values({ version: 99, name: 'later', applied_at: 0 }).execute(),
  );
  await t.throwsAsync(openPostgresEngine(direct, POSTGRES_MIGRATIONS, clock), {
    name: 'StorageError',
    message: /has schema version 99, made by a newer Gatekeeper/,
  });
});

testPostgres('a database of another program is refused and stays as it was', async (t) => {
  const { direct } = await postgresDatabase(t, { isEmpty: true });
  const admin = await connectPostgres(direct);
  t.teardown(() => admin.end());
  await admin.query('CREATE TABLE orders (id int)');
  await t.throwsAsync(openPostgresEngine(direct, POSTGRES_MIGRATIONS, clock), {
    name: 'StorageError',
    message: /is a database of another program/,
  });
  const { rows } = await admin.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
  t.deepEqual(rows, [{ tablename: 'orders' }]);
});

testPostgres('no message shows the password', async (t) => {
  const { port } = await postgresCluster();
  const { name } = await postgresDatabase(t);
  const encoded = encodeURIComponent(PASSWORD);
  for (const url of [
    urlOf(port, name, 'another secret'),
    urlOf(port, 'no_such_database'),
    urlOf(1, name),
    `postgres://gatekeeper:${encoded}@127.0.0.1:99999/x`,
    `${urlOf(port, name)}?max=many`,
    `${urlOf(port, name)}?sslmode=verify-full`,
  ]) {
    const error = await t.throwsAsync(openPostgresEngine(url, POSTGRES_MIGRATIONS, clock), {
      instanceOf: Error,
    });
    const texts = `${error?.name} ${error?.message} ${error?.stack} ${JSON.stringify(error?.cause ?? null)}`;
    t.false(texts.includes(PASSWORD) || texts.includes(encoded) || texts.includes('another secret'), texts);
    t.regex(error?.name ?? '', /^Storage/);
  }
});

for (const door of ['direct', 'pooled'] as const) {
  testPostgres(`${door}: a transaction that fails leaves nothing, and the next one works`, async (t) => {
    const engine = await open(t, (await postgresDatabase(t))[door]);
    const policy = { revision: 'r', policy: '{}' };
    await t.throwsAsync(
      engine.transact(async (trx) => {
        await trx.insertInto('policies').values(policy).execute();
        throw new Error('changed my mind');
      }),
      { message: 'changed my mind' },
    );
    t.deepEqual(await engine.db.selectFrom('policies').selectAll().execute(), []);
    await engine.transact((trx) => trx.insertInto('policies').values(policy).execute());
    t.deepEqual(await engine.reader.selectFrom('policies').selectAll().execute(), [policy]);
  });

  testPostgres(`${door}: a swallowed error does not commit half of a transaction in silence`, async (t) => {
    const engine = await open(t, (await postgresDatabase(t))[door]);
    await t.throwsAsync(
      engine.transact(async (trx) => {
        await trx.insertInto('policies').values({ revision: 'r', policy: '{}' }).execute();
        await sql`SELECT 1 / 0`.execute(trx).catch(() => {});
      }),
      { message: /was rolled back/ },
    );
  });

  testPostgres(`${door}: pages cannot write, and large counts are numbers`, async (t) => {
    const engine = await open(t, (await postgresDatabase(t))[door]);
    await t.throwsAsync(
      engine.reader.insertInto('policies').values({ revision: 'r', policy: '{}' }).execute(),
      { instanceOf: StorageAwayError },
    );
    const { rows } = await sql`SELECT count(*) AS n, sum(9007199254740991) AS s, 8::bigint AS i`.execute(
      engine.reader,
    );
    t.deepEqual(rows, [{ n: 1, s: 9007199254740991, i: 8 }]);
    await t.throwsAsync(sql`SELECT 9007199254740993 AS n`.execute(engine.reader), { name: 'RangeError' });
  });

  testPostgres(
    `${door}: two transactions with one name wait for each other, with two they do not`,
    async (t) => {
      const { [door]: url } = await postgresDatabase(t);
      const [one, other] = [await open(t, url), await open(t, url)];
      const events: string[] = [];
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      let isLocked = () => {};
      const locked = new Promise<void>((resolve) => {
        isLocked = resolve;
      });
      const first = one.transact(async (trx) => {
        await one.lock(trx, ['a', 'b']);
        isLocked();
        await held;
        events.push('first');
      });
      await locked;
      const second = other.transact(async (trx) => {
        await other.lock(trx, ['b']);
        events.push('second');
      });
      await other.transact(async (trx) => {
        await other.lock(trx, ['c']);
        events.push('another name');
      });
      release();
      await Promise.all([first, second]);
      t.deepEqual(events, ['another name', 'first', 'second']);
    },
  );

  testPostgres(`${door}: text that PostgreSQL cannot store is replaced`, async (t) => {
    const engine = await open(t, (await postgresDatabase(t))[door]);
    await engine.transact((trx) =>
      trx.insertInto('policies').values({ revision: 'a\0b\ud800c\udfff', policy: '\ud83d\ude00' }).execute(),
    );
    t.deepEqual(await engine.db.selectFrom('policies').selectAll().execute(), [
      { revision: 'a\ufffdb\ufffdc\ufffd', policy: '\ud83d\ude00' },
    ]);
    const found = engine.db
      .selectFrom('policies')
      .select('revision')
      .where('revision', '=', 'a\0b\ud800c\udfff');
    t.is((await found.execute()).length, 1);
  });
}

testPostgres('a socket of this machine works as well as a port', async (t) => {
  const { folder, port } = await postgresCluster();
  const { name } = await postgresDatabase(t);
  const url = `postgres://gatekeeper:${encodeURIComponent(PASSWORD)}@localhost:${port}/${name}?host=${folder}`;
  const engine = await open(t, url);
  t.deepEqual((await engine.db.selectFrom('policies').selectAll().execute()).length, 0);
  t.is(engine.name, `postgres://${folder}/${name}`);
});

testPostgres('sessions carry the name of the node and limits of time', async (t) => {
  const engine = await open(t, (await postgresDatabase(t)).direct);
  const shown = async (db: PostgresEngine['db']) =>
    (
      await sql<Record<string, string>>`SELECT current_setting('application_name') AS name,
        current_setting('statement_timeout') AS statement, current_setting('idle_in_transaction_session_timeout') AS idle,
        current_setting('default_transaction_read_only') AS read_only`.execute(db)
    ).rows[0];
  const { name, ...limits } = (await shown(engine.db)) ?? {};
  t.regex(name ?? '', /^gatekeeper\/./);
  t.deepEqual(limits, { statement: '5s', idle: '10s', read_only: 'off' });
  t.like(await shown(engine.reader), { statement: '10s', read_only: 'on' });
});

testPostgres('through a pooler each transaction carries the limits of time', async (t) => {
  const engine = await open(t, (await postgresDatabase(t)).pooled);
  const limits = sql<Record<string, string>>`SELECT current_setting('statement_timeout') AS statement`;
  t.deepEqual((await engine.transact((trx) => limits.execute(trx))).rows, [{ statement: '5s' }]);
  t.deepEqual((await limits.execute(engine.reader)).rows, [{ statement: '10s' }]);
});
