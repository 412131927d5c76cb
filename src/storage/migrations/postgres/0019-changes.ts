import { type Kysely, sql } from 'kysely';
import type { Migration } from '../../engine/migrate.ts';

/**
 * One number that grows with each committed change to what nodes keep in memory, and a notification that carries no
 * data. Triggers raise it, so that a change by hand counts too. Like 14, only for PostgreSQL.
 */
export const changes: Migration = {
  version: 19,
  name: 'changes',
  async up(db) {
    await db.schema
      .createTable('changes')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('revision', 'bigint', (column) => column.notNull())
      .addColumn('raised_in', sql`xid8`, (column) => column.notNull())
      .execute();
    await sql`INSERT INTO changes (id, revision, raised_in) VALUES (1, 1, pg_current_xact_id())`.execute(db);
    // Once for each transaction: a copy of all records changes thousands of rows.
    await sql`CREATE FUNCTION raise_changes_1() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE changes SET revision = revision + 1, raised_in = pg_current_xact_id()
          WHERE id = 1 AND raised_in <> pg_current_xact_id();
        IF FOUND THEN PERFORM pg_notify('gatekeeper_changes', ''); END IF;
        RETURN NULL;
      END $$`.execute(db);
    await raiseAfter(
      db,
      'api_keys',
      'INSERT OR DELETE OR UPDATE OF revoked_at, expires_at, account_id, scope',
    );
    await raiseAfter(db, 'accounts', 'DELETE OR UPDATE OF name, plan');
    await raiseAfter(db, 'list_state', 'UPDATE');
  },
};

/** At the commit: the row is locked last and for a moment, so that no two transactions wait for each other. */
async function raiseAfter(db: Kysely<never>, table: string, events: string): Promise<void> {
  await sql`CREATE CONSTRAINT TRIGGER ${sql.ref(`${table}_changes`)} AFTER ${sql.raw(events)} ON ${sql.table(table)}
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION raise_changes_1()`.execute(db);
}
