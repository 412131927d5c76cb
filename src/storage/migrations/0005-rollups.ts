import { type Kysely, sql } from 'kysely';
import type { Migration } from '../engine/migrate.ts';

/**
 * Decisions counted by the hour, so that three months of them are shown without reading a decision; and a cursor: up to
 * which decision they are counted. Labels and outcomes change later and are few: they are counted when a page is
 * requested, from indexes with all the columns.
 */
export const rollups: Migration = {
  version: 5,
  name: 'rollups',
  async up(db) {
    await db.schema
      .createTable('rollup_cursor')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('position', 'bigint', (column) => column.notNull())
      .addColumn('generation', 'bigint', (column) => column.notNull())
      .execute();
    await sql`INSERT INTO rollup_cursor (id, position, generation) VALUES (1, 0, 0)`.execute(db);
    await createCounts(db, 'rollup_decisions', {
      texts: ['door', 'route', 'mode', 'risk_level', 'action'],
      integers: ['hour', 'degraded', 'test'],
    });
    await createCounts(db, 'rollup_reasons', {
      texts: ['route', 'risk_level', 'code'],
      integers: ['unit', 'hour'],
    });
    await createCounts(db, 'rollup_durations', { texts: ['route'], integers: ['hour', 'class'] });
    await widen(db, 'outcome', ['account_id', 'route', 'test']);
    await widen(db, 'label', ['account_id', 'route', 'test', 'risk_level', 'action', 'mode', 'codes']);
  },
};

interface Columns {
  readonly texts: readonly string[];
  readonly integers: readonly string[];
}

/** One count for each combination of its columns. Absent texts are empty: a null would never equal another. */
async function createCounts(db: Kysely<never>, name: string, { texts, integers }: Columns): Promise<void> {
  let table = db.schema.createTable(name).addColumn('scope', 'text', (column) => column.notNull());
  for (const column of integers) table = table.addColumn(column, 'integer', (made) => made.notNull());
  for (const column of texts) table = table.addColumn(column, 'text', (made) => made.notNull());
  await table
    .addColumn('count', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint(`${name}_pk`, ['scope', ...integers, ...texts] as never[])
    .execute();
  // By which retention finds the oldest.
  await db.schema.createIndex(`${name}_hour`).on(name).column('hour').execute();
}

/** The index of rows in which that column is set, with more of each row in it. */
async function widen(db: Kysely<never>, name: 'outcome' | 'label', more: readonly string[]): Promise<void> {
  await db.schema.dropIndex(`decisions_${name}`).ifExists().execute();
  await db.schema
    .createIndex(`decisions_${name}`)
    .on('decisions')
    .columns(['processed_at', 'id', name, ...more] as never[])
    .where(name as never, 'is not', null)
    .execute();
}
