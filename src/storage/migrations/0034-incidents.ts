import { type Kysely, sql } from 'kysely';
import type { Migration } from '../engine/migrate.ts';
import type { SqlFragments } from '../engine/sql-fragments.ts';

/** What happened besides attacks. A message is about an attack or an incident, so its row references neither table. */
export const incidents: Migration = {
  version: 34,
  name: 'incidents',
  async up(db: Kysely<never>, { text }: SqlFragments) {
    await db.schema
      .createTable('incidents')
      .addColumn('id', text, (column) => column.primaryKey())
      .addColumn('kind', text, (column) => column.notNull())
      .addColumn('key', text, (column) => column.notNull())
      .addColumn('facts', text, (column) => column.notNull())
      .addColumn('began_at', 'bigint', (column) => column.notNull())
      .addColumn('seen_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('incidents_seen_at').on('incidents').columns(['seen_at']).execute();
    await db.schema
      .createIndex('incidents_key')
      .on('incidents')
      .columns(['kind', 'key', 'seen_at'])
      .execute();
    await db.schema.alterTable('alert_deliveries').renameTo('alert_deliveries_before').execute();
    await db.schema.dropIndex('alert_deliveries_next_at').execute();
    await db.schema
      .createTable('alert_deliveries')
      .addColumn('event_id', text, (column) => column.notNull())
      .addColumn('receiver', text, (column) => column.notNull())
      .addColumn('state', text, (column) => column.notNull())
      .addColumn('tries', 'integer', (column) => column.notNull())
      .addColumn('next_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('alert_deliveries_event_receiver', ['event_id', 'receiver'])
      .execute();
    await sql`INSERT INTO alert_deliveries (event_id, receiver, state, tries, next_at)
      SELECT event_id, receiver, state, tries, next_at FROM alert_deliveries_before`.execute(db);
    await db.schema.dropTable('alert_deliveries_before').execute();
    await db.schema
      .createIndex('alert_deliveries_next_at')
      .on('alert_deliveries')
      .columns(['state', 'next_at'])
      .execute();
  },
};

/** With the job that finds jumps, which one node runs. */
export const postgresIncidents: Migration = {
  ...incidents,
  async up(db, fragments) {
    await incidents.up(db, fragments);
    await sql`INSERT INTO jobs (name, leased_until) VALUES ('incidents', to_timestamp(0))`.execute(db);
  },
};
