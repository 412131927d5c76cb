import type { PostgresPool } from './postgres-pool.ts';

/**
 * Writes nothing, and a server that accepts no writes refuses it: a replica answers reads, and may be behind.
 *
 * @throws StorageAwayError when it does not answer, or accepts no writes.
 */
export async function requireWritable(pool: PostgresPool): Promise<void> {
  await pool.query('UPDATE schema_versions SET name = name WHERE false', []);
}
