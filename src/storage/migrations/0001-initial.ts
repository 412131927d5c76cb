import type { Kysely } from 'kysely';
import type { Migration } from '../engine/migrate.ts';

/**
 * Few indexes on purpose: each costs every scoring about 4 µs. An insert into the index on `processed_at` stays cheap,
 * because its values only grow. The same holds for `request_id`, because request ids begin with the time.
 */
export const initial: Migration = {
  version: 1,
  name: 'initial',
  async up(db) {
    await createAccounts(db);
    await createDecisions(db);
    await db.schema
      .createTable('policies')
      .addColumn('revision', 'text', (column) => column.primaryKey())
      .addColumn('policy', 'text', (column) => column.notNull())
      .execute();
  },
};

async function createAccounts(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('accounts')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull().unique())
    .addColumn('plan', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('api_keys')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('sha256', 'text', (column) => column.notNull().unique())
    .addColumn('last_four', 'text', (column) => column.notNull())
    .addColumn('test', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .addColumn('last_used_at', 'bigint')
    .execute();
  await db.schema
    .createTable('usage_days')
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('used', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('usage_days_pk', ['account_id', 'day'])
    .execute();
}

async function createDecisions(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('decisions')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('request_id', 'text', (column) => column.notNull().unique())
    .addColumn('processed_at', 'bigint', (column) => column.notNull())
    .addColumn('door', 'text', (column) => column.notNull())
    .addColumn('account_id', 'text')
    .addColumn('key_id', 'text')
    .addColumn('test', 'integer', (column) => column.notNull())
    .addColumn('scope', 'text', (column) => column.notNull())
    .addColumn('route', 'text')
    .addColumn('trust_score', 'integer', (column) => column.notNull())
    .addColumn('risk_level', 'text', (column) => column.notNull())
    .addColumn('action', 'text')
    .addColumn('mode', 'text')
    .addColumn('degraded', 'integer', (column) => column.notNull())
    .addColumn('mailbox', 'text')
    .addColumn('spelling', 'text')
    .addColumn('domain', 'text')
    .addColumn('network', 'text', (column) => column.notNull())
    .addColumn('policy_revision', 'text', (column) => column.notNull())
    .addColumn('data_revision', 'text', (column) => column.notNull())
    .addColumn('identity', 'text', (column) => column.notNull())
    .addColumn('detail', 'text', (column) => column.notNull())
    .addColumn('outcome', 'text')
    .addColumn('label', 'text')
    .execute();
  await db.schema.createIndex('decisions_processed_at').on('decisions').column('processed_at').execute();
  await db.schema
    .createTable('answers')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('idempotency_key', 'text', (column) => column.notNull())
    .addColumn('body_sha256', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('request_id', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('answers_key', ['account_id', 'idempotency_key'])
    .execute();
  await db.schema.createIndex('answers_created_at').on('answers').column('created_at').execute();
}
