import type { Kysely } from 'kysely';
import type { Migration } from '../engine/migrate.ts';
import type { SqlFragments } from '../engine/sql-fragments.ts';

/** Which receiver has got the message about which attack. */
export const alertDeliveries: Migration = {
  version: 27,
  name: 'alert-deliveries',
  async up(db: Kysely<never>, { text }: SqlFragments) {
    await db.schema
      .createTable('alert_deliveries')
      .addColumn('event_id', text, (column) =>
        column.notNull().references('attack_events.id').onDelete('cascade'),
      )
      .addColumn('receiver', text, (column) => column.notNull())
      .addColumn('state', text, (column) => column.notNull())
      .addColumn('tries', 'integer', (column) => column.notNull())
      .addColumn('next_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('alert_deliveries_key', ['event_id', 'receiver'])
      .execute();
    await db.schema
      .createIndex('alert_deliveries_next_at')
      .on('alert_deliveries')
      .columns(['state', 'next_at'])
      .execute();
  },
};
