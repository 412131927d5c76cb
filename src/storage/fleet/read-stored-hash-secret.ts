import { refusesSettings, settingsOf } from '../engine/postgres-engine.ts';
import { openPostgresPool } from '../engine/postgres-pool.ts';
import { parsePostgresUrl } from '../engine/postgres-url.ts';

const CONNECT_TIMEOUT_MS = 2_000;
const STATEMENT_TIMEOUT_MS = 5_000;
const STORED = `SELECT fingerprint FROM fleet_secrets WHERE name = 'hash_secret'`;

/**
 * The fingerprint of the hash secret of these records, without migrating them.
 *
 * @returns null when no node has started yet.
 * @throws when the server does not answer, or has no tables yet.
 */
export async function readStoredHashSecret(url: string): Promise<string | null> {
  const parsed = parsePostgresUrl(url);
  const address = { ...parsed, connectTimeoutMs: Math.min(parsed.connectTimeoutMs, CONNECT_TIMEOUT_MS) };
  const isPooled = await refusesSettings(address);
  const kind = { statementTimeoutMs: STATEMENT_TIMEOUT_MS, isPooled, isReader: true, max: 1 };
  const pool = openPostgresPool(settingsOf(address, kind));
  try {
    const { rows } = await pool.query<{ readonly fingerprint: string }>(STORED, []);
    return rows[0]?.fingerprint ?? null;
  } finally {
    await pool.close();
  }
}
