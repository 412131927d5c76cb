import type { Kysely } from 'kysely';
import type { Migration } from '../engine/migrate.ts';
import type { SqlFragments } from '../engine/sql-fragments.ts';

/**
 * The encrypted address that a held signup probably meant, and which decision followed from accepting it. Tables of their
 * own: in SQLite, reading a column after the content of a held signup would read all of its pages.
 */
export const correctedSignups: Migration = {
  version: 22,
  name: 'corrected-signups',
  async up(db: Kysely<never>, { text }: SqlFragments) {
    await db.schema
      .createTable('suggested_addresses')
      .addColumn('request_id', text, (column) =>
        column.primaryKey().references('held_signups.request_id').onDelete('cascade'),
      )
      .addColumn('sealed', text, (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('corrected_decisions')
      .addColumn('request_id', text, (column) => column.primaryKey())
      .addColumn('corrects', text, (column) => column.notNull())
      .addColumn('corrected_at', 'bigint', (column) => column.notNull())
      .execute();
    for (const column of ['corrects', 'corrected_at']) {
      await db.schema
        .createIndex(`corrected_decisions_${column}`)
        .on('corrected_decisions')
        .columns([column])
        .execute();
    }
  },
};
