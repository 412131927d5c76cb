import { type Kysely, sql } from 'kysely';
import type { Migration } from '../engine/migrate.ts';
import type { SqlFragments } from '../engine/sql-fragments.ts';

/** Passkeys of users, the challenges that browsers sign with them, and who invited a user. */
export const passkeysAndInvitations: Migration = {
  version: 32,
  name: 'passkeys-and-invitations',
  async up(db: Kysely<never>, { text }: SqlFragments) {
    await db.schema
      .createTable('passkeys')
      .addColumn('id', text, (column) => column.primaryKey())
      .addColumn('account_id', text, (column) => column.notNull())
      .addColumn('public_key', text, (column) => column.notNull())
      .addColumn('counter', 'bigint', (column) => column.notNull())
      .addColumn('transports', text, (column) => column.notNull())
      .addColumn('name', text, (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('last_used_at', 'bigint')
      .execute();
    await db.schema.createIndex('passkeys_account_id').on('passkeys').columns(['account_id']).execute();
    await db.schema
      .createTable('passkey_challenges')
      .addColumn('id', text, (column) => column.primaryKey())
      .addColumn('session_id', text)
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('passkey_challenges_expires_at')
      .on('passkey_challenges')
      .columns(['expires_at'])
      .execute();
    await db.schema
      .alterTable('sessions')
      .addColumn('by_passkey', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema.alterTable('accounts').addColumn('invited_by', text).execute();
    await db.schema
      .createIndex('accounts_invited')
      .on('accounts')
      .columns(['created_at'])
      .where(sql<boolean>`password IS NULL AND email IS NOT NULL`)
      .execute();
  },
};
