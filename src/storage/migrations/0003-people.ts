import { type Kysely, sql } from 'kysely';
import type { Migration } from '../engine/migrate.ts';

/**
 * Users, who sign in to the dashboard: accounts with an email. Of the tokens of sessions and mailed links only the
 * SHA-256 is stored, so that a copy of the database does not let its reader sign in.
 */
export const people: Migration = {
  version: 3,
  name: 'people',
  async up(db) {
    await extendAccounts(db);
    await db.schema
      .createTable('sessions')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('last_seen_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addColumn('browser', 'text', (column) => column.notNull())
      .addColumn('network', 'text', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('account_tokens')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('account_id', 'text', (column) => column.references('accounts.id'))
      .addColumn('email', 'text')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute();
    for (const table of ['sessions', 'account_tokens']) {
      await db.schema.createIndex(`${table}_account`).on(table).column('account_id').execute();
      await db.schema.createIndex(`${table}_expires_at`).on(table).column('expires_at').execute();
    }
  },
};

async function extendAccounts(db: Kysely<never>): Promise<void> {
  // One column a statement: SQLite takes no more.
  await db.schema.alterTable('accounts').addColumn('email', 'text').execute();
  await db.schema.alterTable('accounts').addColumn('password', 'text').execute();
  await db.schema
    .alterTable('accounts')
    .addColumn('role', 'text', (column) => column.notNull().defaultTo(sql.lit('member')))
    .execute();
  await db.schema.alterTable('accounts').addColumn('password_changed_at', 'bigint').execute();
  await db.schema.alterTable('accounts').addColumn('last_signed_in_at', 'bigint').execute();
  await db.schema.createIndex('accounts_email').unique().on('accounts').column('email').execute();
}
