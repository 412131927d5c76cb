import type { Kysely } from 'kysely';
import type { Clock } from '../../clock.ts';
import { initial } from '../migrations/0001-initial.ts';
import { heldSignups } from '../migrations/0002-held-signups.ts';
import { people } from '../migrations/0003-people.ts';
import { decisionSearch } from '../migrations/0004-decision-search.ts';
import { rollups } from '../migrations/0005-rollups.ts';
import { listsAndAudit } from '../migrations/0006-lists-and-audit.ts';
import { usageByKey } from '../migrations/0007-usage-by-key.ts';
import { repeats } from '../migrations/0008-repeats.ts';
import { storageBounds } from '../migrations/0009-storage-bounds.ts';
import { heldSignupSenders } from '../migrations/0010-held-signup-senders.ts';
import { foldedHeldSignups } from '../migrations/0011-folded-held-signups.ts';
import type { Migration } from '../migrations/migration.ts';
import { StorageError } from '../storage-error.ts';
import type { StorageEngine } from './engine.ts';

export const MIGRATIONS: readonly Migration[] = [
  initial,
  heldSignups,
  people,
  decisionSearch,
  rollups,
  listsAndAudit,
  usageByKey,
  repeats,
  storageBounds,
  heldSignupSenders,
  foldedHeldSignups,
];

/**
 * Brings the schema up to date in one transaction, so that a process which dies half-way leaves the old one. A second
 * process that starts at the same time waits for the lock and then finds nothing to do.
 *
 * @throws StorageError when a newer Gatekeeper made the database: it holds what this one does not understand.
 */
export async function migrate(
  engine: Pick<StorageEngine, 'db' | 'transact' | 'name'>,
  clock: Clock,
  migrations: readonly Migration[] = MIGRATIONS,
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
