import type { Clock } from '../../clock.ts';
import { repeat } from '../repeat.ts';
import { REPORT_EVERY_MS } from './node-intervals.ts';

/** The clock of a node, corrected by the clock of the database. */
export interface DatabaseClock {
  /** The node's own time. If it differs from the database's by more than a second, the time of the database. */
  readonly now: Clock;
  /** The time by which the node's own clock is ahead of the database's. Null before the first measurement. */
  skewMs(): number | null;
  /** Measures before it returns, and then every five seconds. */
  follow(databaseTime: () => Promise<number>): Promise<{ close(): Promise<void> }>;
}

/** A clock in milliseconds that never jumps, such as `performance.now`. */
type Elapsed = () => number;

/** Time servers keep clocks closer than this. */
const TOLERATED_MS = 1_000;
/** After a longer round trip, the measurement is too inaccurate. */
const MAX_ROUND_TRIP_MS = 1_000;

/**
 * Nodes on one database count, expire and delete by one clock. A node's wrong time of day, or a jump of its clock, has
 * no effect. Between two measurements, the time is computed from the last time of the database and the time that has
 * passed since.
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
      // When the database does not answer now, the next measurement tries again.
      const tryToMeasure = () => measure(databaseTime).catch(() => {});
      await tryToMeasure();
      return repeat(tryToMeasure, REPORT_EVERY_MS);
    },
  };
}
