import type { Kysely } from 'kysely';
import type { Clock } from '../../clock.ts';
import { StorageError } from '../storage-error.ts';
import type { StorageEngine } from './engine.ts';
import type { SqlFragments } from './sql-fragments.ts';

/** One step from a version of the schema to the next. A released step never changes: a later one corrects it. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  /** Typed loosely: it works on the tables of its own time, not today's. */
  up(db: Kysely<never>, fragments: SqlFragments): Promise<void>;
}

/**
 * Brings the schema up to date in one transaction, so that a process that dies in it leaves the old schema. A second
 * process that starts at the same time waits for the lock, and then has nothing to do.
 *
 * @throws StorageError when a newer Gatekeeper made the database and this one does not know its schema, or when this
 * user may not change tables.
 */
export async function migrate(
  engine: Pick<StorageEngine, 'db' | 'transact' | 'lock' | 'fragments' | 'name'>,
  migrations: readonly Migration[],
  clock: Clock,
): Promise<void> {
  const newest = migrations.at(-1)?.version ?? 0;
  const before = await versionOf(engine, newest);
  if (before === newest) return;
  try {
    await runMissing(engine, migrations, clock);
  } catch (error) {
    if (!isRefused(error)) throw error;
    throw refusedMigration(engine.name, { before, needed: newest, cause: error });
  }
}

/** The error of a start by a user who may not change tables that are too old. */
export function refusedMigration(
  name: string,
  { before, needed, cause }: { readonly before: number; readonly needed: number; readonly cause?: unknown },
): StorageError {
  return new StorageError(
    `${name} has ${before === 0 ? 'no tables yet' : `schema version ${before}`}, this Gatekeeper needs version ${needed}, ` +
      'and the user in storage.records may not change tables. Run "gatekeeper records migrate --records URL" once, with ' +
      'the URL of a user who may, and start again.',
    { cause },
  );
}

async function runMissing(
  engine: Parameters<typeof migrate>[0],
  migrations: readonly Migration[],
  clock: Clock,
): Promise<void> {
  const newest = migrations.at(-1)?.version ?? 0;
  await engine.transact(async (db) => {
    await engine.lock(db, ['migrations']);
    await db.schema
      .createTable('schema_versions')
      .ifNotExists()
      .addColumn('version', 'integer', (column) => column.primaryKey())
      .addColumn('name', engine.fragments.text, (column) => column.notNull())
      .addColumn('applied_at', 'bigint', (column) => column.notNull())
      .execute();
    const present = await versionOf({ ...engine, db }, newest);
    for (const { version, name, up } of migrations.filter((m) => m.version > present)) {
      await up(db as unknown as Kysely<never>, engine.fragments);
      await db.insertInto('schema_versions').values({ version, name, applied_at: clock() }).execute();
    }
  });
}

/** SQLSTATE `insufficient_privilege`, of PostgreSQL. */
function isRefused(error: unknown): boolean {
  const { code } = (error instanceof StorageError ? (error.cause ?? {}) : {}) as { readonly code?: string };
  return code === '42501';
}

/**
 * The version of the tables; 0 in an empty database.
 *
 * @throws StorageError when they belong to another program, or to a version newer than that.
 */
export async function versionOf(
  engine: Pick<StorageEngine, 'db' | 'fragments' | 'name'>,
  newest: number,
): Promise<number> {
  const { rows } = await engine.fragments.tableNames.execute(engine.db);
  const tables = rows.map(({ name }) => name);
  if (!tables.includes('schema_versions')) {
    if (tables.length === 0) return 0;
    throw new StorageError(
      `${engine.name} is a database of another program (it has tables, but none of Gatekeeper's): point storage.records elsewhere.`,
    );
  }
  const { version } = await engine.db
    .selectFrom('schema_versions')
    .select(({ fn }) => fn.max('version').as('version'))
    .executeTakeFirstOrThrow();
  if (version > newest) {
    throw new StorageError(
      `${engine.name} has schema version ${version}, made by a newer Gatekeeper; this one knows versions up to ${newest}. ` +
        'Run the newer Gatekeeper, or restore the backup from before the upgrade.',
    );
  }
  return version ?? 0;
}
