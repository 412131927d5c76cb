import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { sql } from 'kysely';
import type { StorageEngine } from '../../../src/storage/engine/engine.ts';
import { type Migration, migrate } from '../../../src/storage/engine/migrate.ts';
import { openSqliteEngine } from '../../../src/storage/engine/sqlite-engine.ts';
import { SQLITE_MIGRATIONS } from '../../../src/storage/migrations/migrations.ts';
import { NOON } from '../decisions/decision-fixture.ts';

const clock = () => NOON;

async function openDatabase(
  t: ExecutionContext,
  path: string | null = null,
): Promise<[StorageEngine, string]> {
  const file = path ?? join(mkdtempSync(join(tmpdir(), 'gatekeeper-migrate-')), 'x.db');
  const engine = await openSqliteEngine(file, SQLITE_MIGRATIONS, clock);
  t.teardown(() => rmSync(join(file, '..'), { recursive: true, force: true }));
  return [engine, file];
}

const ranAlready = (version: number, name: string): Migration => ({
  ...{ version, name },
  up: () => Promise.reject(new Error('ran already')),
});
/** What a new database starts with. */
const present = SQLITE_MIGRATIONS.map(({ version, name }) => ranAlready(version, name));
const newest = Math.max(...SQLITE_MIGRATIONS.map(({ version }) => version));
const addNote: Migration = {
  version: newest + 1,
  name: 'add-note',
  up: async (db) => {
    await db.schema.alterTable('accounts').addColumn('remark', 'text').execute();
    await sql`UPDATE accounts SET remark = 'from before'`.execute(db);
  },
};

test('a database of the version before is brought up to date, its rows kept', async (t) => {
  const [engine] = await openDatabase(t);
  await sql`INSERT INTO accounts (id, name, plan, created_at) VALUES ('1', 'shop', 'pro', 0)`.execute(
    engine.db,
  );
  await migrate(engine, [...present, addNote], clock);
  await migrate(engine, [...present, addNote], clock);
  t.like(await engine.db.selectFrom('accounts').selectAll().executeTakeFirst(), {
    name: 'shop',
    remark: 'from before',
  });
  t.deepEqual(await engine.db.selectFrom('schema_versions').select(['version', 'applied_at']).execute(), [
    ...present.map(({ version }) => ({ version, applied_at: NOON })),
    { version: newest + 1, applied_at: NOON },
  ]);
  await engine.close();
});

test('a migration that fails leaves the old version whole', async (t) => {
  const [engine, file] = await openDatabase(t);
  const failing: Migration = {
    version: newest + 2,
    name: 'fails',
    up: () => Promise.reject(new Error('no')),
  };
  await t.throwsAsync(migrate(engine, [...present, addNote, failing], clock), { message: 'no' });
  await engine.close();
  const [again] = await openDatabase(t, file);
  t.deepEqual(
    await again.db.selectFrom('schema_versions').select('version').execute(),
    present.map(({ version }) => ({ version })),
  );
  t.false(JSON.stringify(await again.db.introspection.getTables()).includes('remark'));
  await again.close();
});

test('a database of a newer version is refused, both versions named, and left alone', async (t) => {
  const [engine, file] = await openDatabase(t);
  await migrate(engine, [...present, addNote], clock);
  await engine.close();
  const error = await t.throwsAsync(openSqliteEngine(file, SQLITE_MIGRATIONS, clock), {
    name: 'StorageError',
  });
  t.regex(
    error?.message ?? '',
    new RegExp(`schema version ${newest + 1}.*newer Gatekeeper.*up to ${newest}`, 's'),
  );
  t.true(error?.message.includes(file));
});

test('a database of another program is refused', async (t) => {
  const [engine, file] = await openDatabase(t);
  await sql`DROP TABLE schema_versions`.execute(engine.db);
  await engine.close();
  await t.throwsAsync(openSqliteEngine(file, SQLITE_MIGRATIONS, clock), {
    name: 'StorageError',
    message: /another program/,
  });
});
