import type { Clock } from '../clock.ts';
import type { StorageEngine } from './engine/engine.ts';
import { openPostgresEngine } from './engine/postgres-engine.ts';
import { isPostgresUrl } from './engine/postgres-url.ts';
import { openSqliteEngine } from './engine/sqlite-engine.ts';
import { sqlitePathOf } from './engine/sqlite-file.ts';
import { POSTGRES_MIGRATIONS, SQLITE_MIGRATIONS } from './migrations/migrations.ts';

/** No request waits for such a command. */
const STATEMENT_TIMEOUT_MS = 600_000;

/**
 * Opens a database without the topics, for commands about the database itself. Makes or migrates its tables.
 *
 * @throws StorageError as `openStorage` does.
 */
export function openEngine(url: string, clock: Clock): Promise<StorageEngine> {
  return isPostgresUrl(url)
    ? openPostgresEngine(url, POSTGRES_MIGRATIONS, clock, { statementTimeoutMs: STATEMENT_TIMEOUT_MS })
    : openSqliteEngine(sqlitePathOf(url), SQLITE_MIGRATIONS, clock);
}

/** The version of its tables, which `openEngine` has brought up to date. */
export async function schemaVersionOf({ db }: Pick<StorageEngine, 'db'>): Promise<number> {
  const { version } = await db
    .selectFrom('schema_versions')
    .select(({ fn }) => fn.max('version').as('version'))
    .executeTakeFirstOrThrow();
  return version;
}
