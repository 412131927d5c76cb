import { setTimeout as delay } from 'node:timers/promises';
import { isDistrusted } from './engine/postgres-errors.ts';
import type { Storage } from './storage.ts';
import { isOnlyBusy, StorageAwayError, StorageInDoubtError } from './storage-error.ts';

/** Long enough: after a restart of its machine, a database answers in less time. */
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

/**
 * Starts again when the database stops answering during the start, or another program keeps it locked.
 *
 * @param start The start. When it throws, it has closed all parts.
 * @throws the error of the start when it is another error, or when a minute has passed since the first start began.
 */
export async function startWithStorage<T>(
  start: () => Promise<T>,
  {
    log,
    patienceMs = PATIENCE_MS,
  }: { readonly log: { warn(facts: object, message: string): void }; readonly patienceMs?: number },
): Promise<T> {
  const begunAt = performance.now();
  for (;;) {
    try {
      return await start();
    } catch (error) {
      const isPassing = isWorthWaiting(error) || isOnlyBusy(error);
      if (!isPassing || performance.now() - begunAt >= patienceMs) throw error;
      log.warn(
        { because: error.message },
        'the database went away or is locked during the start: it begins again',
      );
    }
    await delay(EVERY_MS);
  }
}

/** When the commit of a migration is in doubt, the next start first reads whether it was done. */
export function isWorthWaiting(error: unknown): error is Error {
  if (error instanceof StorageAwayError) return !isDistrusted(error.cause);
  return error instanceof StorageInDoubtError;
}
