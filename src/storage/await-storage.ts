import { setTimeout as delay } from 'node:timers/promises';
import type { Storage } from './storage.ts';
import { StorageAwayError, StorageInDoubtError } from './storage-error.ts';

/** After a restart of a whole machine, a database is back in less. */
const PATIENCE_MS = 60_000;
const EVERY_MS = 500;
const SAY_EVERY_MS = 5_000;

/**
 * Opens the storage, and waits for a database that does not answer. All other errors are thrown at once.
 *
 * @throws StorageError when it does not answer within a minute, or the reason of the signal.
 */
export async function awaitStorage(
  open: () => Promise<Storage>,
  {
    log,
    stop,
    patienceMs = PATIENCE_MS,
  }: {
    readonly log: { warn(facts: object, message: string): void };
    readonly stop?: AbortSignal | undefined;
    readonly patienceMs?: number;
  },
): Promise<Storage> {
  const begunAt = performance.now();
  let saidAt = Number.NEGATIVE_INFINITY;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      const now = performance.now();
      const leftMs = begunAt + patienceMs - now;
      if (!isWorthWaiting(error) || leftMs <= 0) throw error;
      stop?.throwIfAborted();
      if (now - saidAt >= SAY_EVERY_MS) {
        saidAt = now;
        log.warn(
          { because: error.message, left_s: Math.ceil(leftMs / 1_000) },
          'the start waits for the database',
        );
      }
    }
    // An abort ends the pause; the next round throws its reason.
    await delay(EVERY_MS, null, { signal: stop }).catch(() => {});
    stop?.throwIfAborted();
  }
}

/** A migration whose commit is in doubt looks first for what it did. */
function isWorthWaiting(error: unknown): error is Error {
  return error instanceof StorageAwayError || error instanceof StorageInDoubtError;
}
