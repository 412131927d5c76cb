import type { Kysely } from 'kysely';
import type { Migration } from '../engine/migrate.ts';

/**
 * Tells what a route asked for (`wanted_action`, which is what stood in `action` until now) from what was done. Decisions
 * from before keep an empty `action`: they were done as wanted, or forwarded in monitor mode.
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
