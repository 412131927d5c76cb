import { setTimeout as delay } from 'node:timers/promises';
import { StorageBusyError } from '../storage-error.ts';

/** With the 250 ms that SQLite itself waits for a lock, this gives up after about five seconds. */
const ATTEMPTS = 20;
const PAUSE_MS = 5;

/**
 * Tries again while another process holds the write lock. SQLite blocks this process while it waits, so its own wait is
 * short, and the event loop runs between two tries.
 *
 * @throws StorageBusyError after the last try.
 */
export async function retryWhileBusy<T>(attempt: () => Promise<T>): Promise<T> {
  for (let left = ATTEMPTS; ; left--) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof StorageBusyError) || left <= 1) throw error;
    }
    await delay(PAUSE_MS);
  }
}
