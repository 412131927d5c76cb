import { type Kysely, sql } from 'kysely';
import type { StorageSchema } from '../storage-schema.ts';

type Database = Kysely<StorageSchema>;

const HASH_SECRET = 'hash_secret';

/** The fingerprint of the hash secret that the records were made with; null before the first start. */
export async function readHashSecret(db: Database): Promise<string | null> {
  const { rows } = await sql<{ readonly fingerprint: string }>`
    SELECT fingerprint FROM fleet_secrets WHERE name = ${HASH_SECRET}`.execute(db);
  return rows[0]?.fingerprint ?? null;
}

/** Unless there is one. */
export async function writeFirstHashSecret(trx: Database, fingerprint: string): Promise<void> {
  await sql`INSERT INTO fleet_secrets (name, fingerprint) VALUES (${HASH_SECRET}, ${fingerprint})
    ON CONFLICT (name) DO NOTHING`.execute(trx);
}

export async function replaceHashSecret(trx: Database, fingerprint: string): Promise<void> {
  await sql`INSERT INTO fleet_secrets (name, fingerprint) VALUES (${HASH_SECRET}, ${fingerprint})
    ON CONFLICT (name) DO UPDATE SET fingerprint = excluded.fingerprint`.execute(trx);
}
