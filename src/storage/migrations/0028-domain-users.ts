import type { Kysely } from 'kysely';
import type { Migration } from '../engine/migrate.ts';
import type { SqlFragments } from '../engine/sql-fragments.ts';

/** Who used a mailbox of a domain and was verified or labelled legitimate. */
export const domainUsers: Migration = {
  version: 28,
  name: 'domain-users',
  async up(db: Kysely<never>, { text }: SqlFragments) {
    await db.schema
      .createTable('domain_users')
      .addColumn('domain', text, (column) => column.notNull())
      .addColumn('mailbox', text, (column) => column.notNull())
      .addColumn('network', text, (column) => column.notNull())
      .addColumn('noted_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('domain_users_key', ['domain', 'mailbox'])
      .execute();
    for (const column of ['mailbox', 'noted_at']) {
      await db.schema.createIndex(`domain_users_${column}`).on('domain_users').columns([column]).execute();
    }
  },
};
