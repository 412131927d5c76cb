import type { Migration } from '../engine/migrate.ts';

/**
 * Signups that wait for their sender to verify, and the mails sent for them. `sealed` is base64 text: a third larger than
 * bytes, but of the same type in every engine. `size` is before it, so that a sum of the sizes never reads its pages.
 */
export const heldSignups: Migration = {
  version: 2,
  name: 'held-signups',
  async up(db) {
    await db.schema
      .createTable('held_signups')
      .addColumn('request_id', 'text', (column) => column.primaryKey())
      .addColumn('page_token', 'text', (column) => column.notNull().unique())
      .addColumn('link_token', 'text', (column) => column.notNull().unique())
      .addColumn('mailbox', 'text', (column) => column.notNull())
      .addColumn('mail_mailbox', 'text', (column) => column.notNull())
      .addColumn('mail_origin', 'text', (column) => column.notNull())
      .addColumn('domain', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('verified_at', 'bigint')
      .addColumn('passed', 'integer', (column) => column.notNull())
      .addColumn('code', 'text', (column) => column.notNull())
      .addColumn('code_expires_at', 'bigint', (column) => column.notNull())
      .addColumn('tries', 'integer', (column) => column.notNull())
      .addColumn('mails', 'integer', (column) => column.notNull())
      .addColumn('mailed_at', 'bigint', (column) => column.notNull())
      .addColumn('mail_state', 'text', (column) => column.notNull())
      .addColumn('key_id', 'text', (column) => column.notNull())
      .addColumn('size', 'bigint', (column) => column.notNull())
      .addColumn('sealed', 'text', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('held_signups_state')
      .on('held_signups')
      .columns(['state', 'expires_at', 'size'])
      .execute();
    await db.schema.createIndex('held_signups_mailbox').on('held_signups').column('mailbox').execute();
    await db.schema
      .createTable('verification_mails')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('sent_at', 'bigint', (column) => column.notNull())
      .addColumn('mailbox', 'text', (column) => column.notNull())
      .addColumn('origin', 'text', (column) => column.notNull())
      .execute();
    for (const columns of [['sent_at'], ['mailbox', 'sent_at'], ['origin', 'sent_at']]) {
      await db.schema
        .createIndex(`verification_mails_${columns[0]}`)
        .on('verification_mails')
        .columns(columns)
        .execute();
    }
  },
};
