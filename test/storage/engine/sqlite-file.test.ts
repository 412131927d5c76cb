import { copyFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import test from 'ava';
import { sqlitePathOf } from '../../../src/storage/engine/sqlite-file.ts';
import { openStorage } from '../../../src/storage/open-storage.ts';
import { StorageError } from '../../../src/storage/storage-error.ts';
import { NOON } from '../decisions/decision-fixture.ts';
import { filledDatabase, folderOf } from './filled-database.ts';

const clock = () => NOON;

test('addresses of SQLite files are understood, others are refused with the way out', (t) => {
  t.is(sqlitePathOf('sqlite:./data/x.db'), resolve('data/x.db'));
  t.is(sqlitePathOf('sqlite:/var/lib/x.db'), '/var/lib/x.db');
  t.is(sqlitePathOf('sqlite:///var/lib/x.db'), '/var/lib/x.db');
  for (const url of [
    '',
    'postgres://u:p@db/x',
    'sqlite:',
    'sqlite::memory:',
    'mysql://x',
    './data/x.db',
    'sqlite:a\0b',
  ]) {
    t.throws(() => sqlitePathOf(url), { instanceOf: StorageError, message: /sqlite:\.\// }, url);
  }
});

test('the password of a refused address is not repeated', (t) => {
  const error = t.throws(() => sqlitePathOf('postgresql://user:hunter2@db/x'));
  t.false(error?.message.includes('hunter2'));
});

test('a new database is for its owner alone, and nothing else lies beside it', async (t) => {
  const file = join(folderOf(t), 'deep', 'down', 'gatekeeper.db');
  const records = await openStorage({ url: `sqlite:${file}`, clock });
  t.is(statSync(file).mode & 0o777, 0o600);
  t.is(statSync(`${file}-wal`).mode & 0o777, 0o600);
  await records.close();
});

test('several first starts at once agree on one database', async (t) => {
  const url = `sqlite:${join(folderOf(t), 'gatekeeper.db')}`;
  const opened = await Promise.all(Array.from({ length: 4 }, () => openStorage({ url, clock })));
  t.teardown(() => Promise.all(opened.map((records) => records.close())));
  const account = await opened[0]?.accounts.create({ name: 'shop', plan: 'hobby' });
  for (const records of opened) t.deepEqual(await records.accounts.findByName('shop'), account);
});

test('a folder that cannot be made is named', async (t) => {
  const blocker = join(folderOf(t), 'file');
  writeFileSync(blocker, '');
  const log = { error: () => {} };
  // Only with a log, the write-ahead log is read first.
  for (const options of [{}, { log }]) {
    const opened = openStorage({ url: `sqlite:${blocker}/x.db`, clock, ...options });
    const error = await t.throwsAsync(opened, { instanceOf: StorageError });
    t.true(error?.message.startsWith(`The database ${blocker}/x.db cannot be opened: `), error?.message);
  }
  await t.throwsAsync(openStorage({ url: `sqlite:${folderOf(t)}`, clock }), { message: /is not a file/ });
});

test('a database that cannot be made is named, with the way out', async (t) => {
  // Its own name is short enough, but not the name of the draft.
  const file = join(folderOf(t), `${'x'.repeat(240)}.db`);
  const error = await t.throwsAsync(openStorage({ url: `sqlite:${file}`, clock }), {
    instanceOf: StorageError,
  });
  t.true(error?.message.startsWith(`The database ${file} cannot be opened: `));
  t.regex(error?.message ?? '', /another file in storage\.records\.$/);
});

test('a database that is deleted, moved or replaced while it is open no longer answers, until it is back', async (t) => {
  const file = await filledDatabase(t);
  const records = await openStorage({ url: `sqlite:${file}`, clock });
  t.teardown(() => records.close());
  await t.notThrowsAsync(records.ping());
  renameSync(file, `${file}.away`);
  await t.throwsAsync(records.ping(), { instanceOf: StorageError, message: /was moved or deleted/ });
  copyFileSync(`${file}.away`, file);
  await t.throwsAsync(records.ping(), { instanceOf: StorageError, message: /was replaced by another file/ });
  renameSync(`${file}.away`, file);
  await t.notThrowsAsync(records.ping());
});
