import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { sql } from 'kysely';
import { checkRecords } from '../../src/storage/check-records.ts';
import { STATE_TABLE } from '../../src/storage/copy/copy-state.ts';
import { openSqlite } from '../../src/storage/engine/open-sqlite.ts';
import { openSqliteEngine } from '../../src/storage/engine/sqlite-engine.ts';
import { SQLITE_MIGRATIONS } from '../../src/storage/migrations/migrations.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import { runCommand } from '../helpers/run-command.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const clock = () => 0;

/** The place where a command without a configuration looks for the records. */
async function recordsIn(t: ExecutionContext, migrations = SQLITE_MIGRATIONS) {
  const folder = temporaryFolder(t);
  const data = join(folder, 'data');
  mkdirSync(data);
  const file = join(data, 'gatekeeper.db');
  const engine = await openSqliteEngine(file, migrations, clock);
  return { folder, data, file, engine, url: `sqlite:${file}` };
}

function contentOf(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'hex')]),
  );
}

const refused = {
  'a newer Gatekeeper': sql`INSERT INTO schema_versions (version, name, applied_at) VALUES (9999, 'later', 0)`,
  'another program': sql`DROP TABLE schema_versions`,
  'an unfinished copy': sql`CREATE TABLE ${sql.table(STATE_TABLE)} (name TEXT)`,
};
for (const [title, statement] of Object.entries(refused)) {
  test(`records of ${title} are refused by check and doctor with the sentence of the start`, async (t) => {
    const { folder, data, engine, url } = await recordsIn(t);
    await statement.execute(engine.db);
    await engine.close();
    const before = contentOf(data);
    const { message = '' } = (await t.throwsAsync(checkRecords(url), { name: 'StorageError' })) ?? {};
    const checked = await runCommand(['check'], folder);
    t.is(checked.code, 1);
    t.is(checked.err, `${message}\n1 mistake\n`);
    const doctored = await runCommand(['doctor', '--json'], folder);
    t.is(doctored.code, 1);
    const findings = JSON.parse(doctored.out) as { check: string; message: string; remedy: string }[];
    const storage = findings.find(({ check }) => check === 'storage');
    t.true(message.startsWith(storage?.message ?? '-'), storage?.message);
    t.true(message.includes(storage?.remedy ?? '-') || storage?.remedy === 'gatekeeper check');
    t.deepEqual(contentOf(data), before);
    await t.throwsAsync(openStorage({ url, clock }), { message });
  });
}

test('records of an older version that this user may change pass, and keep their version', async (t) => {
  const { data, file, engine, url } = await recordsIn(t, SQLITE_MIGRATIONS.slice(0, -1));
  await engine.close();
  const before = contentOf(data);
  await t.notThrowsAsync(checkRecords(url));
  t.deepEqual(contentOf(data), before);
  await t.notThrowsAsync(async () => (await openStorage({ url, clock })).close());
  await t.notThrowsAsync(checkRecords(`sqlite:${file}.none`));
  t.deepEqual(readdirSync(data), ['gatekeeper.db']);
});

test('records that another process locks pass, because a start waits for them', async (t) => {
  const { file, engine, url } = await recordsIn(t);
  await engine.close();
  const other = openSqlite(file);
  t.teardown(() => other.close());
  other.exec('PRAGMA journal_mode = DELETE');
  other.exec('BEGIN EXCLUSIVE');
  await t.notThrowsAsync(checkRecords(url));
});
