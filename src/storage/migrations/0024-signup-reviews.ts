import type { Kysely } from 'kysely';
import type { Migration } from '../engine/migrate.ts';
import type { SqlFragments } from '../engine/sql-fragments.ts';

/** What the staff of a site did with held and refused signups, and what the app answered. */
export const signupReviews: Migration = {
  version: 24,
  name: 'signup-reviews',
  async up(db: Kysely<never>, { text }: SqlFragments) {
    await db.schema
      .createTable('signup_reviews')
      .addColumn('request_id', text, (column) => column.primaryKey())
      .addColumn('decision_id', text, (column) => column.notNull())
      .addColumn('act', text, (column) => column.notNull())
      .addColumn('was', text, (column) => column.notNull())
      .addColumn('actor_id', text)
      .addColumn('reviewed_at', 'bigint', (column) => column.notNull())
      .addColumn('result', text)
      .addColumn('status', 'integer')
      .execute();
    for (const column of ['decision_id', 'reviewed_at']) {
      await db.schema
        .createIndex(`signup_reviews_${column}`)
        .on('signup_reviews')
        .columns([column])
        .execute();
    }
  },
};
