import { accessSync, constants } from 'node:fs';
import { Kysely, SqliteDialect, sql } from 'kysely';
import { isWorthWaiting } from './await-storage.ts';
import { requireNoUnfinishedCopy } from './copy/copy-state.ts';
import { refusedMigration, versionOf } from './engine/migrate.ts';
import { openSqliteReadOnly, unusable } from './engine/open-sqlite.ts';
import { createPostgresDialect } from './engine/postgres-dialect.ts';
import { postgresFragments } from './engine/postgres-fragments.ts';
import { openPostgresPool } from './engine/postgres-pool.ts';
import { probePostgres } from './engine/postgres-probe.ts';
import { isPostgresUrl } from './engine/postgres-url.ts';
import { isCompleteDatabase, sqlitePathOf } from './engine/sqlite-file.ts';
import { sqliteFragments } from './engine/sqlite-fragments.ts';
import { POSTGRES_MIGRATIONS, SQLITE_MIGRATIONS } from './migrations/migrations.ts';
import { isOnlyBusy } from './storage-error.ts';
import type { StorageSchema } from './storage-schema.ts';

/**
 * Throws the error with which `openStorage` would refuse these records. Only reads: a database of an older version keeps
 * its tables. A database that is busy or does not answer passes, because a start waits for it.
 *
 * @throws StorageError when the database is damaged, of a newer version, of another program, an unfinished copy, refuses
 *   this user, or is of an older version and this user may not change its tables.
 */
export async function checkRecords(url: string): Promise<void> {
  try {
    await (isPostgresUrl(url) ? checkPostgres(url) : checkSqlite(sqlitePathOf(url)));
  } catch (error) {
    if (isWorthWaiting(error) || isOnlyBusy(error)) return;
    throw error;
  }
}

async function checkSqlite(file: string): Promise<void> {
  if (!isCompleteDatabase(file)) return;
  requireWritableFile(file);
  const db = new Kysely<StorageSchema>({
    dialect: new SqliteDialect({ database: openSqliteReadOnly(file) }),
  });
  try {
    const engine = { db, name: `The database ${file}`, fragments: sqliteFragments };
    await versionOf(engine, newestOf(SQLITE_MIGRATIONS));
    await requireNoUnfinishedCopy({ ...engine, name: file });
  } finally {
    await db.destroy();
  }
}

function requireWritableFile(file: string): void {
  try {
    accessSync(file, constants.W_OK);
  } catch (error) {
    throw unusable(file, (error as NodeJS.ErrnoException).code ?? String(error), error);
  }
}

async function checkPostgres(url: string): Promise<void> {
  const { settings } = await probePostgres(url);
  const db = new Kysely<StorageSchema>({ dialect: createPostgresDialect(openPostgresPool(settings)) });
  try {
    const engine = { db, name: `The database ${settings.name}`, fragments: postgresFragments };
    const needed = newestOf(POSTGRES_MIGRATIONS);
    const version = await versionOf(engine, needed);
    if (version < needed && !(await mayChangeTables(db)))
      throw refusedMigration(engine.name, { before: version, needed });
    await requireNoUnfinishedCopy({ ...engine, name: settings.name });
  } finally {
    await db.destroy();
  }
}

/** Only the owner of a table may change it: https://www.postgresql.org/docs/current/ddl-priv.html */
async function mayChangeTables(db: Kysely<StorageSchema>): Promise<boolean> {
  const { rows } = await sql<{ readonly is_allowed: boolean }>`
    SELECT coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AND NOT EXISTS (
      SELECT FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
      WHERE nspname = current_schema() AND relkind IN ('r', 'p') AND NOT pg_has_role(relowner, 'USAGE')
    ) AS is_allowed`.execute(db);
  return rows[0]?.is_allowed === true;
}

function newestOf(migrations: readonly { readonly version: number }[]): number {
  return migrations.at(-1)?.version ?? 0;
}
