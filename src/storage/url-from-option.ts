import { StorageError } from './storage-error.ts';

/** Where a server has the URL of its records from, in the texts of storage errors. */
const SETTING = 'storage.records';

/** Runs the work on records whose URL is from an option of a command: its errors name the option in place of the setting. */
export async function urlFromOption<T>(option: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StorageError) error.message = error.message.replaceAll(SETTING, option);
    throw error;
  }
}
