import { type Kysely, sql } from 'kysely';
import type { Migration } from '../engine/migrate.ts';

/**
 * Decisions are bounded by number and size. Those of test keys have a bound of their own, and an index of only them, so
 * that it costs other decisions nothing. Idempotent answers store the mailbox: an erasure must find them even if their
 * decision is already deleted.
 */
export const storageBounds: Migration = {
  version: 9,
  name: 'storage-bounds',
  async up(db: Kysely<never>) {
    await db.schema
      .createIndex('decisions_test')
      .on('decisions')
      .columns(['processed_at', 'id'])
      .where(sql<boolean>`test = 1`)
      .execute();
    await db.schema
      .createTable('decision_trims')
      .addColumn('bound', 'text', (column) => column.primaryKey())
      .addColumn('since', 'bigint', (column) => column.notNull())
      .addColumn('last_at', 'bigint', (column) => column.notNull())
      .addColumn('deleted', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.alterTable('answers').addColumn('mailbox', 'text').execute();
    await sql`UPDATE answers SET mailbox =
      (SELECT mailbox FROM decisions WHERE decisions.request_id = answers.request_id)`.execute(db);
  },
};
