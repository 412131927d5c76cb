import type { Kysely } from 'kysely';
import type { Migration } from '../engine/migrate.ts';
import type { SqlFragments } from '../engine/sql-fragments.ts';

/** Second factors of users, their recovery codes, and sign-ins that wait for the second step. */
export const twoFactor: Migration = {
  version: 31,
  name: 'two-factor',
  async up(db: Kysely<never>, { text }: SqlFragments) {
    await db.schema.alterTable('accounts').addColumn('two_factor_since', 'bigint').execute();
    await db.schema
      .createTable('second_factors')
      .addColumn('account_id', text, (column) => column.primaryKey())
      .addColumn('sealed_secret', text, (column) => column.notNull())
      .addColumn('last_step', 'bigint', (column) => column.notNull())
      .addColumn('failures_unknown', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('failures_known', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('failures_since', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema
      .createTable('second_factor_setups')
      .addColumn('account_id', text, (column) => column.primaryKey())
      .addColumn('session_id', text, (column) => column.notNull())
      .addColumn('sealed_secret', text, (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('recovery_codes')
      .addColumn('account_id', text, (column) => column.notNull())
      .addColumn('sha256', text, (column) => column.notNull())
      .addPrimaryKeyConstraint('recovery_codes_key', ['account_id', 'sha256'])
      .execute();
    await db.schema
      .createTable('pending_sign_ins')
      .addColumn('id', text, (column) => column.primaryKey())
      .addColumn('account_id', text, (column) => column.notNull())
      .addColumn('password_changed_at', 'bigint')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute();
    for (const column of ['account_id', 'expires_at']) {
      await db.schema
        .createIndex(`pending_sign_ins_${column}`)
        .on('pending_sign_ins')
        .columns([column])
        .execute();
    }
  },
};
