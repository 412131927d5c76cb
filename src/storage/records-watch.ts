import type { Clock } from '../clock.ts';
import type { Storage } from './storage.ts';
import { within } from './within.ts';

/** Whether the records answer and accept writes. */
export interface RecordsWatch {
  /** The time since which they do not answer, in milliseconds; null when they answer. */
  awaySince(): number | null;
  close(): void;
}

const EVERY_MS = 1_000;
/** Longer than the answer of a slow server with a delay of 2 s, and shorter than the wait of an API answer. */
const PATIENCE_MS = 3_000;

/** Checks the records every second, with one query at a time. Its timer does not keep the process running. */
export function openRecordsWatch({
  records,
  clock,
  log,
}: {
  readonly records: Pick<Storage, 'ping'>;
  readonly clock: Clock;
  readonly log: {
    info(facts: object, message: string): void;
    error(facts: object, message: string): void;
  };
}): RecordsWatch {
  let since: number | null = null;
  let isAsking = false;
  let isClosed = false;

  async function ask(): Promise<void> {
    isAsking = true;
    const askedAt = clock();
    const answer = records.ping();
    try {
      await within(PATIENCE_MS, answer);
      answered();
    } catch (error) {
      failed(error, askedAt);
      // A late answer also shows that the records answer.
      await answer.then(answered, () => {});
    }
    isAsking = false;
  }

  function answered(): void {
    if (since === null || isClosed) return;
    log.info({ away_ms: clock() - since }, 'the records answer again');
    since = null;
  }

  function failed(error: unknown, askedAt: number): void {
    if (since !== null || isClosed) return;
    since = askedAt;
    log.error({ err: error }, 'the records do not answer');
  }

  const timer = setInterval(() => {
    if (!isAsking) void ask();
  }, EVERY_MS);
  timer.unref();
  return {
    awaySince: () => since,
    close() {
      isClosed = true;
      clearInterval(timer);
    },
  };
}
