import type { Logger } from './logger.ts';

/** The log of a failure that every request can meet at the same time, such as a full disk. */
export interface FailureLog {
  failed(error: unknown, requestId: string): void;
}

const EVERY_MS = 60_000;

/**
 * Logs the first failure at once, and the next ones at most once a minute: the newest of them, with their number as
 * `times`. A line for each request would soon fill the disk of the log too.
 */
export function createFailureLog(
  log: Pick<Logger, 'error'>,
  message: string,
  everyMs = EVERY_MS,
): FailureLog {
  let isQuiet = false;
  let times = 0;
  let newest = {};

  function rest(): void {
    isQuiet = true;
    setTimeout(speak, everyMs).unref();
  }

  function speak(): void {
    isQuiet = false;
    if (times === 0) return;
    log.error({ ...newest, times }, message);
    times = 0;
    rest();
  }

  return {
    failed(error, requestId) {
      newest = { err: error, request_id: requestId };
      if (isQuiet) {
        times++;
        return;
      }
      log.error(newest, message);
      rest();
    },
  };
}
