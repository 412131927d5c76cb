import { sql } from 'kysely';
import type { Migration } from '../../engine/migrate.ts';

/** The last good copy of each feed, which one node fetches for all. Like 14, only for PostgreSQL. */
export const feedCopies: Migration = {
  version: 21,
  name: 'feed-copies',
  async up(db, { text }) {
    await db.schema
      .createTable('feed_copies')
      .addColumn('origin', text, (column) => column.primaryKey())
      .addColumn('name', text, (column) => column.notNull())
      .addColumn('revision', text)
      .addColumn('entries', 'integer', (column) => column.notNull())
      .addColumn('etag', text)
      .addColumn('last_modified', text)
      .addColumn('mirror', text)
      .addColumn('body', text)
      .addColumn('fetched_at', 'bigint')
      .addColumn('failure', text)
      .addColumn('failed_at', 'bigint')
      .addColumn('shrunk_since', 'bigint')
      .addColumn('written_at', sql`timestamptz`, (column) => column.notNull())
      .execute();
    await sql`CREATE CONSTRAINT TRIGGER feed_copies_changes AFTER INSERT OR UPDATE OF revision ON feed_copies
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION raise_changes_1()`.execute(db);
    await sql`INSERT INTO jobs (name, leased_until) VALUES ('feeds', to_timestamp(0))`.execute(db);
  },
};
