import type { Kysely } from 'kysely';
import type { Migration } from '../engine/migrate.ts';

/**
 * For held signups whose decision repeats an earlier one: the earlier one's request id. Other held signups have no row
 * here.
 */
export const foldedHeldSignups: Migration = {
  version: 11,
  name: 'folded-held-signups',
  async up(db: Kysely<never>) {
    await db.schema
      .createTable('folded_held_signups')
      .addColumn('request_id', 'text', (column) =>
        column.primaryKey().references('held_signups.request_id').onDelete('cascade'),
      )
      .addColumn('kept_as', 'text', (column) => column.notNull())
      .execute();
  },
};
