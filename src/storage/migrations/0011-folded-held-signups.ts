import type { Kysely } from 'kysely';
import type { Migration } from '../engine/migrate.ts';

/** Which decision a held signup belongs to whose own was folded into an earlier one. Ordinary ones have no row here. */
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
