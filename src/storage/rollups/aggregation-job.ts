import type { Logger } from '../../telemetry/logger.ts';
import type { RollupStore } from './rollup-store.ts';

/** The interval between two counts, and so the delay of the overview. */
const EVERY_MS = 2_000;
/**
 * The pause between two calls while decisions are pending. After an upgrade there may be a million, and signups take
 * precedence.
 */
const BACKLOG_PAUSE_MS = 50;

export interface AggregationJob {
  /** Waits for the running call. Pending decisions are counted by the next process. */
  close(): Promise<void>;
}

/** Counts new decisions every two seconds. Its timer does not keep the process running. */
export function startAggregationJob({
  rollups,
  ran = () => {},
  isHolder = () => true,
  log,
}: {
  readonly rollups: Pick<RollupStore, 'aggregate'>;
  /** Called after each run. */
  readonly ran?: (isDone: boolean) => void;
  /** Whether this node runs the job; left out: always. */
  readonly isHolder?: () => boolean;
  readonly log: Pick<Logger, 'error'>;
}): AggregationJob {
  let closed = false;
  let isFailing = false;
  let aggregating: Promise<void> = Promise.resolve();
  let timer = schedule(EVERY_MS);

  function schedule(delayMs: number): NodeJS.Timeout {
    const next = setTimeout(() => {
      if (isHolder()) aggregating = aggregate();
      else timer = schedule(EVERY_MS);
    }, delayMs);
    return next.unref();
  }

  async function aggregate(): Promise<void> {
    let delayMs = EVERY_MS;
    try {
      const { hasMore } = await rollups.aggregate();
      if (hasMore) delayMs = BACKLOG_PAUSE_MS;
      isFailing = false;
      ran(true);
    } catch (error) {
      ran(false);
      // Nothing is lost: a later call counts them. Logged once, not every two seconds.
      if (!isFailing && !closed) log.error({ err: error }, 'decisions could not be counted for the overview');
      isFailing = true;
    }
    if (!closed) timer = schedule(delayMs);
  }

  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      await aggregating;
    },
  };
}
