import { sql } from 'kysely';
import type { StorageEngine } from '../engine/engine.ts';

/** The clock of PostgreSQL, in milliseconds since the epoch. */
export async function databaseNow({ db }: Pick<StorageEngine, 'db'>): Promise<number> {
  const { rows } = await sql<{ readonly now: number }>`
    SELECT floor(extract(epoch FROM now()) * 1000)::bigint AS now`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('PostgreSQL did not say its time.');
  return row.now;
}
