import { type Kysely, sql } from 'kysely';
import type { StorageEngine } from '../engine/engine.ts';
import { StorageError } from '../storage-error.ts';
import type { StorageSchema } from '../storage-schema.ts';
import type { CopiedTable } from './copied-tables.ts';
import type { Position } from './table-reader.ts';

type Transaction = Kysely<StorageSchema>;

/** A table in the target, which exists from the first row of a copy to its end. */
export const STATE_TABLE = 'records_copy';
/** The row with the fingerprint of the source. */
const SOURCE = '*';

/** The progress of a copy in one table. */
export interface TableState {
  readonly position: Position | null;
  readonly copied: number;
}

/**
 * The state of a copy in its target. With it, a later process continues after the last batch. A batch and its position
 * are one transaction.
 */
export interface CopyState {
  readonly tables: ReadonlyMap<string, TableState>;
  /** To be called in the transaction of the batch. */
  move(trx: Transaction, table: CopiedTable, from: TableState, to: TableState): Promise<void>;
  /** Marks the target as complete. To be called first in the transaction that completes it. */
  end(trx: Transaction): Promise<void>;
}

/**
 * Reads the progress of an earlier copy. Without an earlier copy, begins a new one.
 *
 * @throws StorageError when an earlier copy had another source.
 */
export async function openCopyState(
  engine: StorageEngine,
  {
    source,
    tables,
    makeEmpty,
  }: {
    /** A fingerprint of the source. */
    readonly source: string;
    readonly tables: readonly CopiedTable[];
    /** Throws unless the target holds no records. Called when no copy has begun. */
    readonly makeEmpty: (trx: Transaction) => Promise<void>;
  },
): Promise<CopyState> {
  await engine.transact(async (trx) => {
    await engine.lock(trx, [STATE_TABLE]);
    if (await hasUnfinishedCopy({ ...engine, db: trx })) return;
    await makeEmpty(trx);
    const text = engine.fragments.text;
    await trx.schema
      .createTable(STATE_TABLE)
      .addColumn('name', text, (column) => column.primaryKey())
      .addColumn('position', text)
      .addColumn('copied', 'bigint', (column) => column.notNull())
      .execute();
    for (const [name, position] of [[SOURCE, source], ...tables.map((table) => [table.name, null])])
      await sql`INSERT INTO ${sql.table(STATE_TABLE)} (name, position, copied) VALUES (${name}, ${position}, 0)`.execute(
        trx,
      );
  });
  const { rows } = await sql<{
    readonly name: string;
    readonly position: string | null;
    readonly copied: number;
  }>`
    SELECT name, position, copied FROM ${sql.table(STATE_TABLE)}`.execute(engine.db);
  if (rows.find(({ name }) => name === SOURCE)?.position !== source) {
    throw new StorageError(
      `${engine.name} holds an unfinished copy of another source: finish that one, or copy into an empty database.`,
    );
  }
  const found = rows.filter(({ name }) => name !== SOURCE);
  return {
    tables: new Map(
      found.map(({ name, position, copied }) => [
        name,
        { position: position === null ? null : (JSON.parse(position) as Position), copied },
      ]),
    ),
    async move(trx, { name }, from, to) {
      await requireUnfinished(engine, trx);
      const { numAffectedRows } = await sql`
        UPDATE ${sql.table(STATE_TABLE)} SET position = ${JSON.stringify(to.position)}, copied = ${to.copied}
        WHERE name = ${name} AND copied = ${from.copied}`.execute(trx);
      if (numAffectedRows !== 1n) throw alsoCopying(engine);
    },
    async end(trx) {
      await requireUnfinished(engine, trx);
      await trx.schema.dropTable(STATE_TABLE).execute();
    },
  };
}

async function requireUnfinished(engine: StorageEngine, trx: Transaction): Promise<void> {
  await engine.lock(trx, [STATE_TABLE]);
  if (!(await hasUnfinishedCopy({ ...engine, db: trx }))) throw alsoCopying(engine);
}

function alsoCopying({ name }: StorageEngine): StorageError {
  return new StorageError(`Another process copies into ${name} too: let it end, and run this again.`);
}

/** @throws StorageError and closes the engine, when a copy into it has not ended. */
export async function refuseUnfinishedCopy(engine: StorageEngine): Promise<void> {
  try {
    await requireNoUnfinishedCopy(engine);
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** @throws StorageError when a copy into the database has not ended. */
export async function requireNoUnfinishedCopy(
  engine: Pick<StorageEngine, 'db' | 'fragments' | 'name'>,
): Promise<void> {
  if (!(await hasUnfinishedCopy(engine))) return;
  throw new StorageError(
    `${engine.name} holds an unfinished copy of records: run the same "gatekeeper records copy" again, which goes on where ` +
      'it was, or empty the database.',
  );
}

export async function hasUnfinishedCopy({
  db,
  fragments,
}: Pick<StorageEngine, 'db' | 'fragments'>): Promise<boolean> {
  const { rows } = await fragments.tableNames.execute(db);
  return rows.some(({ name }) => name === STATE_TABLE);
}
