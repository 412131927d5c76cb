import { Kysely, sql } from 'kysely';
import type { StorageSchema } from '../storage-schema.ts';
import { createPostgresDialect } from './postgres-dialect.ts';
import { refusesSettings, settingsOf } from './postgres-engine.ts';
import { openPostgresPool } from './postgres-pool.ts';
import { parsePostgresUrl } from './postgres-url.ts';

/** Reading a page of a large table, also on a busy server. */
const STATEMENT_TIMEOUT_MS = 600_000;

/**
 * Runs the work on one snapshot of the database, which does not contain later writes of others. It changes nothing,
 * also no table of an older version.
 *
 * @throws StorageError when it does not answer, or refuses this user.
 */
export async function withPostgresSnapshot<T>(
  url: string,
  work: (db: Kysely<StorageSchema>) => Promise<T>,
): Promise<T> {
  const address = parsePostgresUrl(url);
  const isPooled = await refusesSettings(address);
  const kind = { statementTimeoutMs: STATEMENT_TIMEOUT_MS, isPooled, isReader: false, max: 1 };
  const db = new Kysely<StorageSchema>({
    dialect: createPostgresDialect(openPostgresPool(settingsOf(address, kind))),
  });
  try {
    return await db.connection().execute(async (handle) => {
      await sql`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`.execute(handle);
      await sql`SET LOCAL statement_timeout = ${sql.lit(STATEMENT_TIMEOUT_MS)}`.execute(handle);
      // The reader of the rows may need a long time between two pages.
      await sql`SET LOCAL idle_in_transaction_session_timeout = 0`.execute(handle);
      try {
        return await work(handle);
      } finally {
        await sql`ROLLBACK`.execute(handle).catch(() => {});
      }
    });
  } finally {
    await db.destroy();
  }
}
