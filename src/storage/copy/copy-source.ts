import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { Kysely, SqliteDialect, sql } from 'kysely';
import { versionOf } from '../engine/migrate.ts';
import { openSqliteReadOnly, type SqliteConnection } from '../engine/open-sqlite.ts';
import { postgresFragments } from '../engine/postgres-fragments.ts';
import { withPostgresSnapshot } from '../engine/postgres-snapshot.ts';
import { isPostgresUrl, parsePostgresUrl } from '../engine/postgres-url.ts';
import { isDatabaseThere, sqlitePathOf } from '../engine/sqlite-file.ts';
import { sqliteFragments } from '../engine/sqlite-fragments.ts';
import { findLogDamage } from '../engine/write-ahead-log.ts';
import { readHashSecret } from '../fleet/hash-secret.ts';
import { POSTGRES_MIGRATIONS, SQLITE_MIGRATIONS } from '../migrations/migrations.ts';
import { StorageError } from '../storage-error.ts';
import type { StorageSchema } from '../storage-schema.ts';
import { hasUnfinishedCopy } from './copy-state.ts';
import { type PendingCount, readPostgresPending, readSqlitePending } from './pending-counts.ts';
import { createPostgresTableReader, createSqliteTableReader, type TableReader } from './table-reader.ts';

/** Records that are copied: one snapshot of them, opened for reading only. */
export interface CopySource {
  readonly name: string;
  /** An id that is the same for every process that opens these records. */
  readonly fingerprint: string;
  readonly reader: TableReader;
  /** The fingerprint of the hash secret that these records were made with; null when no server has stored it. */
  hashSecret(): Promise<string | null>;
  /** The UTC days of its decisions, since the epoch. */
  days(): Promise<readonly number[]>;
  pending(): Promise<readonly PendingCount[]>;
  /** Whether a process has written since the snapshot. Ends the snapshot. */
  wasWritten(): Promise<boolean>;
}

/** @throws StorageError when the database is missing, has another version, or is itself an unfinished copy. */
export function withSource<T>(url: string, work: (source: CopySource) => Promise<T>): Promise<T> {
  return isPostgresUrl(url) ? withPostgres(url, work) : withSqlite(sqlitePathOf(url), work);
}

async function withSqlite<T>(file: string, work: (source: CopySource) => Promise<T>): Promise<T> {
  if (!existsSync(file) || !isDatabaseThere(file)) throw new StorageError(`There is no database ${file}.`);
  const damage = await findLogDamage(file);
  if (damage) {
    throw new StorageError(
      `The write-ahead log ${file}-wal is damaged: its last commits are lost. Start Gatekeeper on it once, compare with a ` +
        'backup, stop it, and copy again.',
    );
  }
  const connection = openSqliteReadOnly(file);
  const db = new Kysely<StorageSchema>({ dialect: new SqliteDialect({ database: connection }) });
  try {
    connection.exec('BEGIN');
    const name = `The database ${file}`;
    await requireVersion({ db, name, fragments: sqliteFragments }, SQLITE_MIGRATIONS, `sqlite:${file}`);
    // The first query above has begun the snapshot.
    const versionOfSnapshot = dataVersionOf(connection);
    return await work({
      name: file,
      fingerprint: await fingerprintOf(db),
      reader: createSqliteTableReader(db),
      hashSecret: () => readHashSecret(db),
      days: () => daysOf(db),
      pending: () => readSqlitePending(db),
      async wasWritten() {
        connection.exec('ROLLBACK');
        return dataVersionOf(connection) !== versionOfSnapshot;
      },
    });
  } finally {
    await db.destroy();
  }
}

/** Changes when another connection commits: https://www.sqlite.org/pragma.html#pragma_data_version */
function dataVersionOf(connection: SqliteConnection): number {
  const [row] = connection.prepare('PRAGMA data_version').all([]) as { readonly data_version: number }[];
  return row?.data_version ?? 0;
}

async function withPostgres<T>(url: string, work: (source: CopySource) => Promise<T>): Promise<T> {
  const { name } = parsePostgresUrl(url);
  return withPostgresSnapshot(url, async (db) => {
    const engine = { db, name: `The database ${name}`, fragments: postgresFragments };
    await requireVersion(engine, POSTGRES_MIGRATIONS, name);
    return work({
      name,
      fingerprint: await fingerprintOf(db),
      reader: createPostgresTableReader(db),
      hashSecret: () => readHashSecret(db),
      days: () => daysOf(db),
      pending: () => readPostgresPending(db),
      wasWritten: () => withPostgresSnapshot(url, isInUse),
    });
  });
}

/** A node renews its leases every few seconds. */
async function isInUse(db: Kysely<StorageSchema>): Promise<boolean> {
  const { rows } = await sql<{ readonly is_held: boolean }>`
    SELECT coalesce(max(leased_until) > now(), false) AS is_held FROM jobs`.execute(db);
  return rows[0]?.is_held ?? false;
}

async function requireVersion(
  engine: Parameters<typeof versionOf>[0] & Parameters<typeof hasUnfinishedCopy>[0],
  migrations: readonly { readonly version: number }[],
  address: string,
): Promise<void> {
  const newest = migrations.at(-1)?.version ?? 0;
  const version = await versionOf(engine, newest);
  if (version === 0) throw new StorageError(`${engine.name} has no records.`);
  if (version < newest) {
    throw new StorageError(
      `${engine.name} has schema version ${version}, and this Gatekeeper needs ${newest}: run ` +
        `"gatekeeper records migrate --records ${address}" first.`,
    );
  }
  if (await hasUnfinishedCopy(engine)) {
    throw new StorageError(`${engine.name} is itself an unfinished copy: finish that one first.`);
  }
}

async function fingerprintOf(db: Kysely<StorageSchema>): Promise<string> {
  const rows = await db
    .selectFrom('schema_versions')
    .select(['version', 'applied_at'])
    .orderBy('version')
    .execute();
  return createHash('sha256').update(JSON.stringify(rows)).digest('hex');
}

async function daysOf(db: Kysely<StorageSchema>): Promise<readonly number[]> {
  const { rows } = await sql<{ readonly day: number }>`
    SELECT DISTINCT processed_at / 86400000 AS day FROM decisions`.execute(db);
  return rows.map(({ day }) => day);
}
