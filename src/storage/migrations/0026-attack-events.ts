import { type Kysely, sql } from 'kysely';
import type { Migration } from '../engine/migrate.ts';
import type { SqlFragments } from '../engine/sql-fragments.ts';

/** Groups of signups that look like attacks, as named events. */
export const attackEvents: Migration = {
  version: 26,
  name: 'attack-events',
  async up(db: Kysely<never>, { text }: SqlFragments) {
    await db.schema
      .createTable('attack_events')
      .addColumn('id', text, (column) => column.primaryKey())
      .addColumn('kind', text, (column) => column.notNull())
      .addColumn('key', text, (column) => column.notNull())
      .addColumn('name', text)
      .addColumn('attempts', 'bigint', (column) => column.notNull())
      .addColumn('mailboxes', 'bigint', (column) => column.notNull())
      .addColumn('stopped', 'bigint', (column) => column.notNull())
      .addColumn('began_at', 'bigint', (column) => column.notNull())
      .addColumn('ended_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('attack_events_ended_at').on('attack_events').columns(['ended_at']).execute();
  },
};

/** With the job that finds them, which one node runs. */
export const postgresAttackEvents: Migration = {
  ...attackEvents,
  async up(db, fragments) {
    await attackEvents.up(db, fragments);
    await sql`INSERT INTO jobs (name, leased_until) VALUES ('attacks', to_timestamp(0))`.execute(db);
  },
};
