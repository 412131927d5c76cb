import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { sql } from 'kysely';
import type { StorageEngine } from '../../../../src/storage/engine/engine.ts';
import { createReaderThread } from '../../../../src/storage/engine/reader/reader-thread.ts';
import { openSqliteEngine } from '../../../../src/storage/engine/sqlite-engine.ts';
import { SQLITE_MIGRATIONS } from '../../../../src/storage/migrations/migrations.ts';
import { StorageBusyError } from '../../../../src/storage/storage-error.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';
import { NOON } from '../../decisions/decision-fixture.ts';

const run = promisify(execFile);

const COUNTING = sql<{ n: number }>`
  WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 300000) SELECT count(*) AS n FROM c`;

async function openEngine(t: ExecutionContext): Promise<StorageEngine> {
  const folder = mkdtempSync(join(tmpdir(), 'gatekeeper-reader-'));
  const engine = await openSqliteEngine(join(folder, 'x.db'), SQLITE_MIGRATIONS, () => NOON);
  t.teardown(async () => {
    await engine.close();
    rmSync(folder, { recursive: true });
  });
  return engine;
}

const addAccount = ({ transact }: StorageEngine, id: string) =>
  transact((db) =>
    db.insertInto('accounts').values({ id, name: id, plan: 'pro', created_at: NOON }).execute(),
  );

test('the reader sees what was committed before it was asked', async (t) => {
  const engine = await openEngine(t);
  for (const id of ['one', 'two', 'three']) {
    await addAccount(engine, id);
    const rows = await engine.reader.selectFrom('accounts').select('id').where('id', '=', id).execute();
    t.deepEqual(rows, [{ id }]);
  }
});

test('the reader writes nothing', async (t) => {
  const engine = await openEngine(t);
  await t.throwsAsync(
    engine.reader.insertInto('accounts').values({ id: 'x', name: 'x', plan: 'x', created_at: 0 }).execute(),
    { message: /readonly|read-only|query_only/i },
  );
  t.deepEqual(await engine.db.selectFrom('accounts').selectAll().execute(), []);
});

test('the event loop turns while a long query runs', async (t) => {
  const engine = await openEngine(t);
  let turns = 0;
  let isAnswered = false;
  const countTurns = () => {
    turns++;
    if (!isAnswered) setImmediate(countTurns);
  };
  setImmediate(countTurns);
  const { rows } = await COUNTING.execute(engine.reader);
  isAnswered = true;
  t.deepEqual(rows, [{ n: 300_000 }]);
  // A query on the event loop itself is one turn. On a busy machine a turn may take as long as a tenth of the query.
  t.true(turns > 2, `${turns} turns`);
});

test('a wrong query fails alone', async (t) => {
  const { reader } = await openEngine(t);
  const wrong = sql`SELECT * FROM nowhere`.execute(reader);
  const right = sql<{ one: number }>`SELECT 1 AS one`.execute(reader);
  await t.throwsAsync(wrong, { message: /no such table: nowhere/ });
  t.deepEqual((await right).rows, [{ one: 1 }]);
});

test('the queue is bounded, and accepted queries are answered', async (t) => {
  const { reader } = await openEngine(t);
  const asked = await Promise.allSettled(
    Array.from({ length: 100 }, (_, n) => sql<{ n: number }>`SELECT ${n} AS n`.execute(reader)),
  );
  const answered = asked.filter((result) => result.status === 'fulfilled');
  t.is(answered.length, 65);
  for (const result of asked.slice(65)) {
    t.true(result.status === 'rejected' && result.reason instanceof StorageBusyError);
  }
});

test('closing answers the running query, refuses the waiting ones, and accepts no more', async (t) => {
  const thread = createReaderThread((await openEngine(t)).name);
  const running = thread.query('SELECT 1 AS one', []);
  const waiting = t.throwsAsync(thread.query('SELECT 2', []), { instanceOf: StorageBusyError });
  await thread.close();
  t.deepEqual(await running, [{ one: 1 }]);
  await waiting;
  await t.throwsAsync(thread.query('SELECT 3', []), { instanceOf: StorageBusyError });
});

test('a reader that dies of one query fails that one, and answers the next', async (t) => {
  const thread = createReaderThread((await openEngine(t)).name);
  const deadly = thread.query(
    `WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 9000000)
     SELECT n, hex(randomblob(100)) AS h FROM c`,
    [],
  );
  const next = thread.query('SELECT 1 AS one', []);
  await t.throwsAsync(deadly, { instanceOf: StorageBusyError, message: /memory/ });
  t.deepEqual(await next, [{ one: 1 }]);
  await thread.close();
});

test('a reader that cannot open its database reports so for each query, and ends', async (t) => {
  const thread = createReaderThread('/nowhere/x.db');
  const asked = [thread.query('SELECT 1', []), thread.query('SELECT 1', [])];
  for (const query of asked) await t.throwsAsync(query, { instanceOf: StorageBusyError, message: /x\.db/ });
  await thread.close();
});

test('a process ends only after the reader has ended and the write-ahead log is emptied', async (t) => {
  const file = join(temporaryFolder(t), 'x.db');
  await (await openSqliteEngine(file, SQLITE_MIGRATIONS, () => NOON)).close();
  const extension = extname(import.meta.url);
  const loader = extension === '.ts' ? ['--import', 'tsx'] : [];
  // Nothing else keeps this process: it may end as soon as closing does not.
  const script = `
    const { openSqliteEngine } = await import('${new URL(`../../../../src/storage/engine/sqlite-engine${extension}`, import.meta.url)}');
    const { SQLITE_MIGRATIONS } = await import('${new URL(`../../../../src/storage/migrations/migrations${extension}`, import.meta.url)}');
    const { sql } = await import('${import.meta.resolve('kysely')}');
    const engine = await openSqliteEngine(process.argv[2], SQLITE_MIGRATIONS, () => 0);
    await engine.transact((db) => db.insertInto('accounts')
      .values({ id: 'a', name: 'a', plan: 'p', created_at: 0 }).execute());
    await sql\`SELECT 1\`.execute(engine.reader);
    const slow = sql\`WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 400000)
      SELECT count(*) FROM c\`.execute(engine.reader).then(() => console.log('answered'));
    await new Promise((resolve) => setTimeout(resolve, 5));
    await engine.close();
    console.log('closed');
    await slow;`;
  const module = `${file}.mjs`;
  writeFileSync(module, script);
  const { stdout } = await run(process.execPath, [...loader, module, file], {
    timeout: 30_000,
  });
  t.deepEqual(stdout.trim().split('\n').sort(), ['answered', 'closed']);
  t.false(existsSync(`${file}-wal`));
});
