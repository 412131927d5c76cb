import { sql } from 'kysely';
import type { Migration } from '../../engine/migrate.ts';

/** What each running node last said of itself. Like 14, only for PostgreSQL. */
export const nodes: Migration = {
  version: 20,
  name: 'nodes',
  async up(db, { text }) {
    const time = sql`timestamptz`;
    await db.schema
      .createTable('nodes')
      .addColumn('id', text, (column) => column.primaryKey())
      .addColumn('name', text, (column) => column.notNull())
      .addColumn('version', text, (column) => column.notNull())
      .addColumn('started_at', time, (column) => column.notNull())
      .addColumn('seen_at', time, (column) => column.notNull())
      .addColumn('configuration', text, (column) => column.notNull())
      .addColumn('configuration_since', time, (column) => column.notNull())
      .addColumn('data', text, (column) => column.notNull())
      .addColumn('data_since', time, (column) => column.notNull())
      .addColumn('clock_skew_ms', 'bigint')
      .addColumn('degraded', text, (column) => column.notNull())
      .execute();
  },
};
