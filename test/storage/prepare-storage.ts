import type { ExecutionContext } from 'ava';
import type { Clock } from '../../src/clock.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { openDatabase } from '../helpers/empty-database.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

/** Opens the same database as often as it is called, as several processes would. It is empty at first. */
export type OpenAgain = (clock: Clock) => Promise<Storage>;

/** Gives a test a database of its own, which is removed with the test. One for each engine. */
export type PrepareStorage = (t: ExecutionContext) => Promise<OpenAgain>;

export const prepareSqlite: PrepareStorage = async (t) => {
  const folder = temporaryFolder(t);
  const opened: Storage[] = [];
  t.teardown(async () => {
    for (const storage of opened) await storage.close();
  });
  return async (clock) => {
    const storage = await openDatabase(`${folder}/data/gatekeeper.db`, clock);
    opened.push(storage);
    return storage;
  };
};
