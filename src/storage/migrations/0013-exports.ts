import type { Kysely } from 'kysely';
import type { Migration } from '../engine/migrate.ts';
import type { SqlFragments } from '../engine/sql-fragments.ts';

/** What each webhook has received, and which process delivers to it. */
export const exportsOfDecisions: Migration = {
  version: 13,
  name: 'exports',
  async up(db: Kysely<never>, { text }: SqlFragments) {
    await db.schema
      .createTable('exports')
      .addColumn('name', text, (column) => column.primaryKey())
      .addColumn('position', 'bigint', (column) => column.notNull())
      .addColumn('batch_id', text)
      .addColumn('batch_end', 'bigint')
      .addColumn('failing_since', 'bigint')
      .addColumn('delivered', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('given_up', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('leased_by', text)
      .addColumn('leased_until', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
