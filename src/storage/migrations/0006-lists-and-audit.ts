import type { Kysely } from 'kysely';
import type { Migration } from '../engine/migrate.ts';

/**
 * Allow and deny entries that operators make at run time, and the log of administrators' acts. Every change of an entry
 * takes the next revision of the lists, so that another process reads only new changes.
 */
export const listsAndAudit: Migration = {
  version: 6,
  name: 'lists-and-audit',
  async up(db) {
    await createLists(db);
    await db.schema
      .createTable('audit_log')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('actor_id', 'text')
      .addColumn('actor_name', 'text', (column) => column.notNull())
      .addColumn('act', 'text', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('detail', 'text', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('audit_log_at').on('audit_log').column('at').execute();
    await db.schema.createIndex('audit_log_act').on('audit_log').columns(['act', 'id']).execute();
    await db.schema.createIndex('audit_log_actor').on('audit_log').columns(['actor_id', 'id']).execute();
  },
};

async function createLists(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('list_entries')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('verdict', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('typed', 'text')
    .addColumn('note', 'text')
    .addColumn('author_id', 'text')
    .addColumn('author_name', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('removed_at', 'bigint')
    .addColumn('revision', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('list_entries_subject', ['verdict', 'kind', 'value'])
    .execute();
  await db.schema
    .createIndex('list_entries_revision')
    .on('list_entries')
    .columns(['revision', 'id'])
    .execute();
  await db.schema
    .createTable('list_state')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('revision', 'bigint', (column) => column.notNull())
    .addColumn('complete_from', 'bigint', (column) => column.notNull())
    .execute();
  await (db as unknown as Kysely<{ list_state: Record<'id' | 'revision' | 'complete_from', number> }>)
    .insertInto('list_state')
    .values({ id: 1, revision: 0, complete_from: 0 })
    .execute();
}
