import type { Kysely } from 'kysely';
import type { Migration } from '../engine/migrate.ts';
import type { SqlFragments } from '../engine/sql-fragments.ts';

/**
 * `replayed_id`: the request id of an answer that was given to a repeated request. What was written too late for its first
 * caller is taken back, but not when a second one has its answer. Always null in SQLite, where nothing is written late.
 */
export const replayedAnswers: Migration = {
  version: 30,
  name: 'replayed-answers',
  async up(db: Kysely<never>, { text }: SqlFragments) {
    await db.schema.alterTable('answers').addColumn('replayed_id', text).execute();
  },
};
