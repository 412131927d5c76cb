import { type Kysely, sql } from 'kysely';
import type { Migration } from '../engine/migrate.ts';

/**
 * Counts usage by key. The key is last in the order, so that the sum of an account's month still reads one range of the
 * table. Usage from before has no key.
 */
export const usageByKey: Migration = {
  version: 7,
  name: 'usage-by-key',
  async up(db: Kysely<never>) {
    await db.schema.alterTable('usage_days').renameTo('usage_days_before').execute();
    await db.schema
      .createTable('usage_days')
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
      .addColumn('day', 'text', (column) => column.notNull())
      .addColumn('key_id', 'text', (column) => column.notNull())
      .addColumn('used', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('usage_days_by_key_pk', ['account_id', 'day', 'key_id'])
      .execute();
    await sql`INSERT INTO usage_days (account_id, day, key_id, used)
      SELECT account_id, day, '', used FROM usage_days_before`.execute(db);
    await db.schema.dropTable('usage_days_before').execute();
  },
};
