import type { Clock } from '../../clock.ts';
import type { Logger } from '../../telemetry/logger.ts';
import type { DecisionStore } from '../decisions/decision-store.ts';
import type { DecisionBound, DecisionBounds } from './decision-bounds.ts';

/** At 2,000 decisions a second, the bound is exceeded by at most 20,000. */
const EVERY_MS = 10_000;
/** The pause between two calls while a bound is exceeded. */
const PAUSE_MS = 100;
/** The interval at which this node checks whether it now runs the job. */
const LOOK_EVERY_MS = 1_000;
const LOG_EVERY_MS = 3_600_000;

const MESSAGES: Readonly<Record<DecisionBound, string>> = {
  max_decisions:
    'the oldest decisions were deleted before their time: storage.max_decisions is reached; raise it, or shorten privacy.retention',
  max_size:
    'the oldest decisions were deleted before their time: the database has reached storage.max_size; raise it, or shorten privacy.retention',
  max_test_decisions: 'the oldest decisions of test keys were deleted: storage.max_test_decisions is reached',
};

/** Deletes the oldest decisions beyond the bounds. Its timer does not keep the process running. */
export function startSizeLimitJob(parts: {
  readonly decisions: Pick<DecisionStore, 'trim'>;
  /** The limits; a reload may change them. */
  readonly bounds: () => DecisionBounds;
  /** Called after each run. */
  readonly ran?: (isDone: boolean) => void;
  /** Whether this node runs the job; left out: always. */
  readonly isHolder?: () => boolean;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly everyMs?: number;
  readonly pauseMs?: number;
}): { close(): Promise<void> } {
  const { decisions, bounds, ran = () => {}, isHolder = () => true, clock, log } = parts;
  const { everyMs = EVERY_MS, pauseMs = PAUSE_MS } = parts;
  /** For each bound, the time of its last log line and the number of deletions since then. */
  const logged = new Map<DecisionBound, { at: number; deleted: number }>();
  let closed = false;
  let failedAt = Number.NEGATIVE_INFINITY;
  let trimming: Promise<void> = Promise.resolve();
  let timer = schedule(everyMs);

  function schedule(delayMs: number): NodeJS.Timeout {
    const next = setTimeout(() => {
      if (isHolder()) trimming = trim();
      else timer = schedule(Math.min(everyMs, LOOK_EVERY_MS));
    }, delayMs);
    return next.unref();
  }

  async function trim(): Promise<void> {
    let delayMs = everyMs;
    try {
      const { deleted, hasMore } = await decisions.trim(bounds(), () => closed || !isHolder());
      for (const { bound, count } of deleted) report(bound, count);
      if (hasMore) delayMs = pauseMs;
      ran(true);
    } catch (error) {
      ran(false);
      if (!closed && clock() - failedAt >= LOG_EVERY_MS) {
        failedAt = clock();
        log.error({ err: error }, 'the oldest decisions could not be deleted; it is tried again every 10 s');
      }
    }
    if (!closed) timer = schedule(delayMs);
  }

  function report(bound: DecisionBound, count: number): void {
    const before = logged.get(bound);
    const deleted = (before?.deleted ?? 0) + count;
    if (before && clock() - before.at < LOG_EVERY_MS) {
      before.deleted = deleted;
      return;
    }
    logged.set(bound, { at: clock(), deleted: 0 });
    const level = bound === 'max_test_decisions' ? 'info' : 'warn';
    log[level]({ deleted, bound: `storage.${bound}`, limit: bounds()[bound] }, MESSAGES[bound]);
  }

  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      await trimming;
    },
  };
}
