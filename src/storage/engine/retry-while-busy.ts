import { setTimeout as delay } from 'node:timers/promises';
import { StorageBusyError } from '../storage-error.ts';

/** With the 250 ms that SQLite itself waits for a lock, this gives up after about five seconds. */
const ATTEMPTS = 20;
const PAUSE_MS = 5;

/**
 * Tries again while another process holds the write lock. The wait inside SQLite blocks this process, so that it is
 * kept short; between two tries the event loop gets its turn.
 *
 * @throws StorageBusyError after the last try.
 */
export async function retryWhileBusy<T>(attempt: () => T | Promise<T>): Promise<T> {
  for (let left = ATTEMPTS; ; left--) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof StorageBusyError) || left <= 1) throw error;
    }
    await delay(PAUSE_MS);
  }
}
