import type { Kysely } from 'kysely';
import type { Clock } from '../../clock.ts';

import { StorageError } from '../storage-error.ts';
import type { StorageEngine } from './engine.ts';

/** One step from a version of the schema to the next. A released step never changes: a later one corrects it. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  /** Typed loosely: it works on the tables of its own time, not today's. */
  up(db: Kysely<never>): Promise<void>;
}

/**
 * Brings the schema up to date in one transaction, so that a process that dies in it leaves the old schema. A second
 * process that starts at the same time waits for the lock, and then has nothing to do.
 *
 * @throws StorageError when a newer Gatekeeper made the database, whose schema this one does not know.
 */
export async function migrate(
  engine: Pick<StorageEngine, 'db' | 'transact' | 'name'>,
  migrations: readonly Migration[],
  clock: Clock,
): Promise<void> {
  const newest = migrations.at(-1)?.version ?? 0;
  if ((await versionOf(engine, newest)) === newest) return;
  await engine.transact(async (db) => {
    await db.schema
      .createTable('schema_versions')
      .ifNotExists()
      .addColumn('version', 'integer', (column) => column.primaryKey())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('applied_at', 'bigint', (column) => column.notNull())
      .execute();
    const present = await versionOf({ ...engine, db }, newest);
    for (const { version, name, up } of migrations.filter((m) => m.version > present)) {
      await up(db as unknown as Kysely<never>);
      await db.insertInto('schema_versions').values({ version, name, applied_at: clock() }).execute();
    }
  });
}

async function versionOf(engine: Pick<StorageEngine, 'db' | 'name'>, newest: number): Promise<number> {
  const tables = (await engine.db.introspection.getTables()).map(({ name }) => name);
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
