import type { Kysely } from 'kysely';
import type { Migration } from '../engine/migrate.ts';

/**
 * Separates the action that a route required (`wanted_action`, until now in `action`) from the action taken. Decisions
 * from before keep an empty `action`: the required action was taken, or the signup was forwarded in monitor mode.
 */
export const wantedActions: Migration = {
  version: 12,
  name: 'wanted-actions',
  async up(db: Kysely<never>) {
    await db.schema.alterTable('decisions').renameColumn('action', 'wanted_action').execute();
    await db.schema.alterTable('decisions').addColumn('action', 'text').execute();
    await db.schema.alterTable('rollup_decisions').renameColumn('action', 'wanted_action').execute();
  },
};
