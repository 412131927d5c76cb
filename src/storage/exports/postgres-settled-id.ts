import { setTimeout as delay } from 'node:timers/promises';
import type { PostgresPool } from '../engine/postgres-pool.ts';
import { StorageBusyError } from '../storage-error.ts';

const TRIES = 100;
const PAUSE_MS = 20;

const NEWEST = `SELECT coalesce(
  pg_sequence_last_value(pg_get_serial_sequence('decisions', 'id')::regclass), 0) AS id`;
/** A transaction has this lock before it draws an id, and until it ends. */
const WRITERS = `SELECT virtualtransaction AS name FROM pg_locks
  WHERE locktype = 'relation' AND relation = 'decisions'::regclass AND mode = 'RowExclusiveLock'
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/**
 * The newest id below which no decision can be committed any more. PostgreSQL gives ids before their transactions commit,
 * in any order: after the newest id is read, this waits until all transactions that write decisions have ended.
 */
export function createPostgresSettledId(pool: PostgresPool): () => Promise<number> {
  let settled: number | null = null;

  async function writers(): Promise<readonly string[]> {
    return (await pool.query<{ readonly name: string }>(WRITERS, [])).rows.map(({ name }) => name);
  }

  return async () => {
    const newest = (await pool.query<{ readonly id: number }>(NEWEST, [])).rows[0]?.id ?? 0;
    let unfinished = await writers();
    for (let left = TRIES; unfinished.length > 0 && left > 0; left--) {
      await delay(PAUSE_MS);
      const running = new Set(await writers());
      unfinished = unfinished.filter((name) => running.has(name));
    }
    if (unfinished.length > 0) {
      // A settled id stays settled, however long a transaction takes.
      if (settled !== null) return settled;
      throw new StorageBusyError('A long transaction writes decisions: they cannot be exported yet.');
    }
    settled = newest;
    return newest;
  };
}
