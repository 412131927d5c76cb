import { sql } from 'kysely';
import type { Migration } from '../../engine/migrate.ts';

/** Which node runs each background job, and until when by the database's clock. Like 14, only for PostgreSQL. */
export const jobs: Migration = {
  version: 15,
  name: 'jobs',
  async up(db, { text }) {
    await db.schema
      .createTable('jobs')
      .addColumn('name', text, (column) => column.primaryKey())
      .addColumn('holder', text)
      .addColumn('leased_until', sql`timestamptz`, (column) => column.notNull())
      .execute();
    await sql`INSERT INTO jobs (name, leased_until)
      SELECT name, to_timestamp(0) FROM unnest(ARRAY['aggregation', 'retention', 'size_limit']) AS name`.execute(
      db,
    );
  },
};
