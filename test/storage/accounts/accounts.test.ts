import { openStorage } from '../../../src/storage/open-storage.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { testPeople } from './accounts.contract.ts';

testPeople('SQLite', async (t) => {
  const folder = temporaryFolder(t);
  const opened: Storage[] = [];
  t.teardown(async () => {
    for (const records of opened) await records.close();
  });
  return async (clock) => {
    const records = await openStorage({ url: `sqlite:${folder}/gatekeeper.db`, clock });
    opened.push(records);
    return records;
  };
});
