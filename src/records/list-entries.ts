import type { Kysely } from 'kysely';
import { insertAuditEntry } from './audit.ts';
import type { RecordsEngine } from './engine.ts';
import { deleteExpiredListEntries, readListChanges } from './list-entry-changes.ts';
import { pageOfListEntries, toStoredListEntry } from './list-entry-page.ts';
import {
  type ListEntries,
  type ListState,
  MAX_LIST_ENTRIES,
  type NewListEntry,
  type StoredListEntry,
} from './list-entry-records.ts';
import { RecordsConflictError } from './records-error.ts';
import type { RecordsSchema } from './schema.ts';

/** Rows in one statement: SQLite binds at most 32,766 values. */
const ROWS_PER_STATEMENT = 500;
type Database = Kysely<RecordsSchema>;

export function createListEntries(engine: RecordsEngine): ListEntries {
  const { db, transact } = engine;
  return {
    put: (entries, audit) =>
      transact(async (trx) => {
        const { revision, replaced } = await prepare(trx, entries);
        const stored: StoredListEntry[] = [];
        for (const step of stepsOf(entries)) {
          stored.push(...(await upsert(trx, step, { audit, revision })));
        }
        await checkBound(trx);
        await insertAuditEntry(trx, audit);
        return { revision, replaced, entries: stored };
      }),
    remove: (id, auditOf) =>
      transact(async (trx) => {
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
    page: async (query) => (await pageOfListEntries(db, query)).map(toStoredListEntry),
    count: () => countEntries(db),
    state: () => readState(db),
    changes: (range) => readListChanges(db, range),
    deleteExpired: (now) => deleteExpiredListEntries(engine, now),
    async eraseMailbox(pseudonym) {
      const { numUpdatedRows } = await transact((trx) =>
        trx
          .updateTable('list_entries')
          .set({ typed: null, note: null })
          .where('kind', '=', 'mailbox')
          .where('value', '=', pseudonym)
          .where((where) => where.or([where('typed', 'is not', null), where('note', 'is not', null)]))
          .executeTakeFirst(),
      );
      return Number(numUpdatedRows);
    },
  };
}

async function prepare(trx: Database, entries: readonly NewListEntry[]) {
  let replaced = 0;
  for (const step of stepsOf(entries)) {
    const values = step.map(({ value }) => value);
    const rows = await trx
      .selectFrom('list_entries')
      .select(['verdict', 'kind', 'value'])
      .where('value', 'in', values)
      .where('removed_at', 'is', null)
      .execute();
    const present = new Set(rows.map((row) => `${row.verdict} ${row.kind} ${row.value}`));
    replaced += step.filter(({ list, kind, value }) => present.has(`${list} ${kind} ${value}`)).length;
  }
  return { replaced, revision: await nextRevision(trx) };
}

async function upsert(
  trx: Database,
  entries: readonly NewListEntry[],
  {
    audit,
    revision,
  }: { readonly audit: { at: number; actorId: string | null; actorName: string }; readonly revision: number },
): Promise<readonly StoredListEntry[]> {
  const rows = await trx
    .insertInto('list_entries')
    .values(
      entries.map(({ list, kind, value, typed, note, expiresAt }) => ({
        ...{ verdict: list, kind, value, typed, note, expires_at: expiresAt },
        author_id: audit.actorId,
        author_name: audit.actorName,
        created_at: audit.at,
        removed_at: null,
        revision,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['verdict', 'kind', 'value']).doUpdateSet((row) => ({
        typed: row.ref('excluded.typed'),
        note: row.ref('excluded.note'),
        author_id: row.ref('excluded.author_id'),
        author_name: row.ref('excluded.author_name'),
        created_at: row.ref('excluded.created_at'),
        expires_at: row.ref('excluded.expires_at'),
        removed_at: null,
        revision: row.ref('excluded.revision'),
      })),
    )
    .returningAll()
    .execute();
  return rows.map(toStoredListEntry);
}

async function checkBound(trx: Database): Promise<void> {
  const count = await countEntries(trx);
  if (count <= MAX_LIST_ENTRIES) return;
  throw new RecordsConflictError(
    `The lists would hold ${count} entries; ${MAX_LIST_ENTRIES} is the most. Remove some first, or name a feed under datasets.feeds.`,
  );
}

async function countEntries(db: Database): Promise<number> {
  const { count } = await db
    .selectFrom('list_entries')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('removed_at', 'is', null)
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

function* stepsOf<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    yield rows.slice(start, start + ROWS_PER_STATEMENT);
  }
}
