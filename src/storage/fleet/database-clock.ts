import type { Clock } from '../../clock.ts';
import { repeat } from '../repeat.ts';
import { REPORT_EVERY_MS } from './node-intervals.ts';

/** The clock of a node, kept right by that of the database. */
export interface DatabaseClock {
  /** The node's own time, or, where that is more than a second off, the database's. */
  readonly now: Clock;
  /** How far the node's own clock is ahead of the database's, as last measured; null before. */
  skewMs(): number | null;
  /** Measures before it returns, and then every five seconds. */
  follow(databaseTime: () => Promise<number>): Promise<{ close(): Promise<void> }>;
}

/** Milliseconds that only ever grow at the pace of real time, as `performance.now` returns. */
type Elapsed = () => number;

/** Time servers keep clocks closer than this. */
const TOLERATED_MS = 1_000;
/** An answer that took longer says too little about the clocks. */
const MAX_ROUND_TRIP_MS = 1_000;

/**
 * Nodes on one database count, expire and delete by one clock. A wrong time of day, and one that jumps while the node
 * runs, change nothing: between two measurements the time is the last one of the database and what has passed since.
 */
export function createDatabaseClock(own: Clock, elapsed: Elapsed = () => performance.now()): DatabaseClock {
  let measured: { readonly databaseAt: number; readonly elapsedAt: number } | null = null;
  let skewMs: number | null = null;

  async function measure(databaseTime: () => Promise<number>): Promise<void> {
    const begunAt = elapsed();
    const databaseAt = await databaseTime();
    const endedAt = elapsed();
    if (endedAt - begunAt > MAX_ROUND_TRIP_MS) return;
    measured = { databaseAt, elapsedAt: (begunAt + endedAt) / 2 };
    skewMs = Math.round(own() - timeOfDatabase(measured));
  }

  function timeOfDatabase({ databaseAt, elapsedAt }: NonNullable<typeof measured>): number {
    return databaseAt + (elapsed() - elapsedAt);
  }

  return {
    now() {
      const ownAt = own();
      if (!measured) return ownAt;
      const databaseAt = timeOfDatabase(measured);
      return Math.abs(ownAt - databaseAt) <= TOLERATED_MS ? ownAt : Math.round(databaseAt);
    },
    skewMs: () => skewMs,
    async follow(databaseTime) {
      // A database that does not answer now is asked again.
      const tryToMeasure = () => measure(databaseTime).catch(() => {});
      await tryToMeasure();
      return repeat(tryToMeasure, REPORT_EVERY_MS);
    },
  };
}
