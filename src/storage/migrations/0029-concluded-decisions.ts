import { type Kysely, sql } from 'kysely';
import type { Migration } from '../engine/migrate.ts';

/**
 * When a decision got its outcome or its label, so that processes can follow the conclusions in this order. Earlier
 * conclusions count as made when the decision was.
 */
export const concludedDecisions: Migration = {
  version: 29,
  name: 'concluded-decisions',
  async up(db: Kysely<never>) {
    await db.schema.alterTable('decisions').addColumn('concluded_at', 'bigint').execute();
    await sql`UPDATE decisions SET concluded_at = processed_at
      WHERE outcome IS NOT NULL OR label IS NOT NULL`.execute(db);
    await db.schema
      .createIndex('decisions_concluded')
      .on('decisions')
      .columns(['concluded_at', 'id'])
      .where(sql<boolean>`concluded_at IS NOT NULL`)
      .execute();
  },
};
