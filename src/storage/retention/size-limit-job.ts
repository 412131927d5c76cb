import type { Clock } from '../../clock.ts';
import type { Logger } from '../../telemetry/logger.ts';
import type { DecisionStore } from '../decisions/decision-store.ts';
import type { DecisionBound, DecisionBounds } from './decision-bounds.ts';

/** At 2,000 decisions a second the bound is exceeded by 20,000 at most before they go. */
const EVERY_MS = 10_000;
/** Between two calls while a bound is exceeded. */
const PAUSE_MS = 100;
const SAY_EVERY_MS = 3_600_000;

const MESSAGES: Readonly<Record<DecisionBound, string>> = {
  max_decisions:
    'the oldest decisions were deleted before their time: storage.max_decisions is reached; raise it, or shorten privacy.retention',
  max_size:
    'the oldest decisions were deleted before their time: the database has reached storage.max_size; raise it, or shorten privacy.retention',
  max_test_decisions: 'the oldest decisions of test keys were deleted: storage.max_test_decisions is reached',
};

/** Keeps decisions within their bounds for as long as the process lives. Keeps no process up. */
export function startSizeLimitJob(parts: {
  readonly decisions: Pick<DecisionStore, 'trim'>;
  /** A reload changes them. */
  readonly bounds: () => DecisionBounds;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly everyMs?: number;
  readonly pauseMs?: number;
}): { close(): Promise<void> } {
  const { decisions, bounds, clock, log, everyMs = EVERY_MS, pauseMs = PAUSE_MS } = parts;
  /** By bound, when it was said last and how many went since. */
  const said = new Map<DecisionBound, { at: number; deleted: number }>();
  let closed = false;
  let failedAt = Number.NEGATIVE_INFINITY;
  let trimming: Promise<void> = Promise.resolve();
  let timer = schedule(everyMs);

  function schedule(delayMs: number): NodeJS.Timeout {
    const next = setTimeout(() => {
      trimming = trim();
    }, delayMs);
    return next.unref();
  }

  async function trim(): Promise<void> {
    let delayMs = everyMs;
    try {
      const { deleted, hasMore } = await decisions.trim(bounds(), () => closed);
      for (const { bound, count } of deleted) say(bound, count);
      if (hasMore) delayMs = pauseMs;
    } catch (error) {
      if (!closed && clock() - failedAt >= SAY_EVERY_MS) {
        failedAt = clock();
        log.error({ err: error }, 'the oldest decisions could not be deleted; it is tried again every 10 s');
      }
    }
    if (!closed) timer = schedule(delayMs);
  }

  function say(bound: DecisionBound, count: number): void {
    const before = said.get(bound);
    const deleted = (before?.deleted ?? 0) + count;
    if (before && clock() - before.at < SAY_EVERY_MS) {
      before.deleted = deleted;
      return;
    }
    said.set(bound, { at: clock(), deleted: 0 });
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
