import type { ExecutionContext } from 'ava';
import type { Clock } from '../../src/clock.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A database of the test's own. Each call of the returned function opens it once more, as another process does. */
export async function prepareSqlite(t: ExecutionContext): Promise<(clock: Clock) => Promise<Storage>> {
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
}
