import type { Migration } from '../../engine/migrate.ts';

/** Fingerprints of the secrets that all nodes share. SQLite has the table since a later step. */
export const fleetSecrets: Migration = {
  version: 14,
  name: 'fleet-secrets',
  async up(db, { text }) {
    await db.schema
      .createTable('fleet_secrets')
      .addColumn('name', text, (column) => column.primaryKey())
      .addColumn('fingerprint', text, (column) => column.notNull())
      .execute();
  },
};
