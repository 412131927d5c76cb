import { type Kysely, sql } from 'kysely';
import type { Migration } from '../engine/migrate.ts';

/**
 * A repeated attempt of the same sender raises the count of one row and adds no row. The count is in the index that
 * decisions are filtered and clustered by, so that campaigns are counted without reading a row.
 */
export const repeats: Migration = {
  version: 8,
  name: 'repeats',
  async up(db: Kysely<never>) {
    await db.schema
      .alterTable('decisions')
      .addColumn('repeats', 'integer', (column) => column.notNull().defaultTo(sql.lit(0)))
      .execute();
    await db.schema.alterTable('decisions').addColumn('last_seen_at', 'bigint').execute();
    await db.schema.dropIndex('decisions_search').execute();
    await db.schema
      .createIndex('decisions_search')
      .on('decisions')
      .columns([
        'processed_at',
        'id',
        'account_id',
        'key_id',
        'door',
        'route',
        'test',
        'risk_level',
        'action',
        'mode',
        'domain',
        'network',
        'mailbox',
        'template',
        'user_agent',
        'codes',
        'outcome',
        'label',
        'repeats',
      ])
      .execute();
  },
};
