import { type Kysely, sql } from 'kysely';
import type { Migration } from '../engine/migrate.ts';

/**
 * The sender of a held signup: its network and its browser. So only the same sender passes again, a sender's share of the
 * limit can be counted, and the mailbox's owner can see the sender. The table is created again, because reading a column
 * after `sealed` would read all of its pages.
 */
export const heldSignupSenders: Migration = {
  version: 10,
  name: 'held-signup-senders',
  async up(db: Kysely<never>) {
    await db.schema.alterTable('held_signups').renameTo('held_signups_before').execute();
    for (const index of ['held_signups_state', 'held_signups_mailbox']) {
      await db.schema.dropIndex(index).execute();
    }
    await createTable(db);
    // Signups from before let no later one pass, and count as one unknown network.
    await sql`INSERT INTO held_signups (request_id, page_token, link_token, mailbox, mail_mailbox, mail_origin, domain,
        network, pass_network, user_agent, pass_token, browser, system, country, created_at, expires_at, state,
        verified_at, passed, code, code_expires_at, tries, mails, mailed_at, mail_state, key_id, size, sealed)
      SELECT request_id, page_token, link_token, mailbox, mail_mailbox, mail_origin, domain,
        '', '', '', NULL, NULL, NULL, NULL, created_at, expires_at, state,
        verified_at, passed, code, code_expires_at, tries, mails, mailed_at, mail_state, key_id, size, sealed
      FROM held_signups_before`.execute(db);
    await db.schema.dropTable('held_signups_before').execute();
    for (const [name, columns] of [
      ['state', ['state', 'expires_at']],
      ['mailbox', ['mailbox']],
      // All columns of a sender's share, so that counting reads only this index.
      ['room', ['state', 'network', 'mail_origin', 'size']],
    ] as const) {
      await db.schema
        .createIndex(`held_signups_${name}`)
        .on('held_signups')
        .columns([...columns])
        .execute();
    }
  },
};

async function createTable(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('held_signups')
    .addColumn('request_id', 'text', (column) => column.primaryKey())
    .addColumn('page_token', 'text', (column) => column.notNull().unique())
    .addColumn('link_token', 'text', (column) => column.notNull().unique())
    .addColumn('mailbox', 'text', (column) => column.notNull())
    .addColumn('mail_mailbox', 'text', (column) => column.notNull())
    .addColumn('mail_origin', 'text', (column) => column.notNull())
    .addColumn('domain', 'text', (column) => column.notNull())
    .addColumn('network', 'text', (column) => column.notNull())
    .addColumn('pass_network', 'text', (column) => column.notNull())
    .addColumn('user_agent', 'text', (column) => column.notNull())
    .addColumn('pass_token', 'text')
    .addColumn('browser', 'text')
    .addColumn('system', 'text')
    .addColumn('country', 'text')
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
}
