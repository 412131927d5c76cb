import { join } from 'node:path';
import test from 'ava';
import { openSqlite } from '../../../src/storage/engine/open-sqlite.ts';
import { openSqliteEngine } from '../../../src/storage/engine/sqlite-engine.ts';
import { SQLITE_MIGRATIONS } from '../../../src/storage/migrations/migrations.ts';
import { StorageBusyError } from '../../../src/storage/storage-error.ts';
import { folderOf } from './filled-database.ts';

for (const isReleased of [false, true]) {
  test(`the records close after a statement met the lock of another program ${isReleased ? 'that is gone' : 'that still writes'}`, async (t) => {
    const file = join(folderOf(t), 'gatekeeper.db');
    const engine = await openSqliteEngine(file, SQLITE_MIGRATIONS, () => 0, 5);
    const other = openSqlite(file, 5);
    const account = (id: string) => ({ id, name: id, plan: 'hobby', created_at: 0 });
    await engine.transact((db) => db.insertInto('accounts').values(account('shop')).execute());
    other.exec('BEGIN IMMEDIATE');
    const insert = engine.db.insertInto('accounts').values(account('late'));
    await t.throwsAsync(insert.execute(), { instanceOf: StorageBusyError });
    if (isReleased) other.exec('ROLLBACK');
    await t.notThrowsAsync(engine.close());
    if (!isReleased) other.exec('ROLLBACK');
    other.close();
    const again = openSqlite(file);
    t.deepEqual(again.prepare('SELECT id FROM accounts').all([]), [{ id: 'shop' }]);
    again.close();
  });
}
