import { join } from 'node:path';
import test from 'ava';
import Database from 'libsql';
import { openStorage } from '../../../src/storage/open-storage.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { entryOf, NOON } from '../decisions/decision-fixture.ts';

const clock = () => NOON;

test('a backup as the documentation describes it, made under load, opens and has all that was answered before', async (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, 'gatekeeper.db');
  const records = await openStorage({ url: `sqlite:${file}`, clock });
  t.teardown(() => records.close());
  const account = await records.accounts.create({ name: 'shop', plan: 'pro' });
  const answered: string[] = [];
  const commit = async () => {
    const entry = entryOf(account);
    await records.ledger.commit(entry);
    answered.push(entry.decision.requestId);
  };
  await Promise.all(Array.from({ length: 50 }, commit));

  const before = [...answered];
  const load = Promise.all(Array.from({ length: 200 }, commit));
  const copy = join(folder, 'backup.db');
  // The command of docs/operations.md: sqlite3 gatekeeper.db "VACUUM INTO 'backup.db'"
  const backup = new Database(file, { readonly: true });
  backup.exec(`VACUUM INTO '${copy}'`);
  backup.close();
  await load;

  const restored = await openStorage({ url: `sqlite:${copy}`, clock });
  t.teardown(() => restored.close());
  const { used } = await restored.quotas.usage(account.id, NOON);
  let rows = 0;
  for await (const _ of restored.decisions.recent(0)) rows++;
  t.is(used, rows);
  t.true(used >= before.length);
  for (const requestId of before) t.truthy(await restored.decisions.find(requestId, account.id));
  await restored.ledger.commit(entryOf(account));
  t.is((await restored.quotas.usage(account.id, NOON)).used, used + 1);
});
