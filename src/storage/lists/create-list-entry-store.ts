import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { AuditEntry } from '../audit/audit-log.ts';
import { insertAuditEntry } from '../audit/create-audit-log.ts';
import { jsonParameter } from '../engine/clean-text.ts';
import type { StorageEngine } from '../engine/engine.ts';
import type { SqlFragments } from '../engine/sql-fragments.ts';
import { LISTS_LOCK } from '../locks.ts';
import { StorageConflictError } from '../storage-error.ts';
import type { StorageSchema } from '../storage-schema.ts';
import { deleteExpiredListEntries } from './delete-list-entries.ts';
import { readListChanges } from './list-entry-changes.ts';
import { pageOfListEntries, toStoredListEntry } from './list-entry-page.ts';
import {
  type ListEntryStore,
  type ListState,
  MAX_LIST_ENTRIES,
  MAX_PATTERNS,
  type StoredListEntry,
} from './list-entry-store.ts';

type Database = Kysely<StorageSchema>;

/** One statement writes this many entries in far less than the limit of five seconds in PostgreSQL. */
const STEP_ROWS = 10_000;
const GIVEN: Parameters<SqlFragments['rowsOfJson']>[1] = {
  verdict: 'text',
  kind: 'text',
  value: 'text',
  typed: 'text',
  note: 'text',
  expires_at: 'bigint',
};

export function createListEntryStore(engine: StorageEngine): ListEntryStore {
  const { db, reader, transact, lock, fragments } = engine;
  return {
    put: (entries, audit) =>
      transact(async (trx) => {
        await lock(trx, [LISTS_LOCK]);
        const rows = entries.map(({ list, kind, value, typed, note, expiresAt }) => [
          ...[list, kind, value, typed, note, expiresAt],
        ]);
        const revision = await nextRevision(trx);
        let replaced = 0;
        for (let start = 0; start < rows.length; start += STEP_ROWS) {
          const step = jsonParameter(rows.slice(start, start + STEP_ROWS));
          const given = fragments.rowsOfJson(step, GIVEN);
          replaced += await countPresent(trx, given);
          await upsert(trx, given, { audit, revision });
        }
        await checkBound(trx);
        await insertAuditEntry(trx, audit);
        return { revision, replaced, entries: await entriesOf(trx, revision) };
      }),
    remove: (id, auditOf) =>
      transact(async (trx) => {
        await lock(trx, [LISTS_LOCK]);
        const row = await trx
          .selectFrom('list_entries')
          .selectAll()
          .where('id', '=', id)
          .where('removed_at', 'is', null)
          .executeTakeFirst();
        if (!row) return null;
        const entry = toStoredListEntry(row);
        const audit = auditOf(entry);
        const revision = await nextRevision(trx);
        await trx
          .updateTable('list_entries')
          .set({ removed_at: audit.at, revision })
          .where('id', '=', id)
          .execute();
        await insertAuditEntry(trx, audit);
        return { ...entry, revision };
      }),
    async find(id) {
      const row = await db
        .selectFrom('list_entries')
        .selectAll()
        .where('id', '=', id)
        .where('removed_at', 'is', null)
        .executeTakeFirst();
      return row ? toStoredListEntry(row) : null;
    },
    async page(query) {
      // A filter may read every entry.
      const from = Object.keys(query.filter).length === 0 ? db : reader;
      return (await pageOfListEntries(from, query)).map(toStoredListEntry);
    },
    count: () => countEntries(db),
    state: () => readState(db),
    changes: (range) => readListChanges(engine, range),
    deleteExpired: (now) => deleteExpiredListEntries(engine, now),
  };
}

/** `given` holds the entries as JSON: one statement for all costs 5 µs an entry; bound one by one they cost 40. */
async function countPresent(trx: Database, given: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ readonly count: number }>`SELECT count(*) AS count FROM ${given} AS given
    JOIN list_entries AS present ON present.verdict = given.verdict
      AND present.kind = given.kind AND present.value = given.value
    WHERE present.removed_at IS NULL`.execute(trx);
  return rows[0]?.count ?? 0;
}

async function upsert(
  trx: Database,
  given: RawBuilder<unknown>,
  { audit, revision }: { readonly audit: AuditEntry; readonly revision: number },
): Promise<void> {
  await sql`INSERT INTO list_entries (verdict, kind, value, typed, note, expires_at,
      author_id, author_name, created_at, removed_at, revision)
    SELECT verdict, kind, value, typed, note, expires_at,
      ${audit.actorId}, ${audit.actorName}, ${audit.at}, NULL, ${revision}
    FROM ${given} AS given WHERE true
    ON CONFLICT (verdict, kind, value) DO UPDATE SET typed = excluded.typed, note = excluded.note,
      expires_at = excluded.expires_at, author_id = excluded.author_id, author_name = excluded.author_name,
      created_at = excluded.created_at, removed_at = NULL, revision = excluded.revision`.execute(trx);
}

async function entriesOf(trx: Database, revision: number): Promise<readonly StoredListEntry[]> {
  const rows = await trx
    .selectFrom('list_entries')
    .selectAll()
    .where('revision', '=', revision)
    .orderBy('id')
    .execute();
  return rows.map(toStoredListEntry);
}

async function checkBound(trx: Database): Promise<void> {
  const patterns = await countEntries(trx, 'pattern');
  if (patterns > MAX_PATTERNS) {
    throw new StorageConflictError(
      `The lists would have ${patterns} patterns; the limit is ${MAX_PATTERNS}. Remove some first.`,
    );
  }
  const count = await countEntries(trx);
  if (count <= MAX_LIST_ENTRIES) return;
  throw new StorageConflictError(
    `The lists would have ${count} entries; the limit is ${MAX_LIST_ENTRIES}. Remove some first, or name a feed under datasets.feeds.`,
  );
}

async function countEntries(db: Database, kind?: 'pattern'): Promise<number> {
  const { count } = await db
    .selectFrom('list_entries')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('removed_at', 'is', null)
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? 'pattern'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

async function nextRevision(trx: Database): Promise<number> {
  const { revision } = await trx
    .updateTable('list_state')
    .set((where) => ({ revision: where('revision', '+', 1) }))
    .where('id', '=', 1)
    .returning('revision')
    .executeTakeFirstOrThrow();
  return revision;
}

async function readState(db: Database): Promise<ListState> {
  const state = await db
    .selectFrom('list_state')
    .select(['revision', 'complete_from'])
    .where('id', '=', 1)
    .executeTakeFirstOrThrow();
  return { revision: state.revision, completeFrom: state.complete_from };
}
