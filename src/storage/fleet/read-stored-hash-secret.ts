import { openPostgresPool } from '../engine/postgres-pool.ts';
import { probePostgres } from '../engine/postgres-probe.ts';

const STORED = `SELECT fingerprint FROM fleet_secrets WHERE name = 'hash_secret'`;

/**
 * The fingerprint of the hash secret of these records, without migrating them.
 *
 * @returns null when no node has started yet.
 * @throws when the server does not answer, or has no tables yet.
 */
export async function readStoredHashSecret(url: string): Promise<string | null> {
  const { settings } = await probePostgres(url);
  const pool = openPostgresPool(settings);
  try {
    const { rows } = await pool.query<{ readonly fingerprint: string }>(STORED, []);
    return rows[0]?.fingerprint ?? null;
  } finally {
    await pool.close();
  }
}
