import type { Kysely, Selectable } from 'kysely';
import { insertAuditEntry } from './audit.ts';
import type { RecordsEngine } from './engine.ts';
import { pageOfListEntries } from './list-entry-page.ts';
import {
  type ListChange,
  type ListEntries,
  type ListState,
  MAX_LIST_ENTRIES,
  type NewListEntry,
  type StoredListEntry,
} from './list-entry-records.ts';
import { RecordsConflictError } from './records-error.ts';
import type { ListEntriesTable, RecordsSchema } from './schema.ts';

const DAY_MS = 86_400_000;
/** A process that slept longer reads all entries anew. */
const REMOVED_KEPT_MS = DAY_MS;
/** So that people can see what expired, and renew it. */
const EXPIRED_KEPT_MS = 30 * DAY_MS;
/** Rows in one statement: SQLite binds at most 32,766 values. */
const ROWS_PER_STATEMENT = 500;
/** Rows read between two turns of the event loop. */
const CHANGES_PER_STEP = 1_000;

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
    changes: (range) => readChanges(db, range),
    deleteExpired: (now) => deleteExpired(engine, now),
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

async function* readChanges(
  db: Database,
  { after, upTo }: { readonly after: number; readonly upTo: number },
): AsyncGenerator<readonly ListChange[]> {
  let last = { revision: after, id: Number.MAX_SAFE_INTEGER };
  for (;;) {
    const { revision, id } = last;
    const rows = await db
      .selectFrom('list_entries')
      .selectAll()
      .where('revision', '>=', revision)
      .where('revision', '<=', upTo)
      .where((where) =>
        where.or([
          where('revision', '>', revision),
          where.and([where('revision', '=', revision), where('id', '>', id)]),
        ]),
      )
      .orderBy('revision')
      .orderBy('id')
      .limit(CHANGES_PER_STEP)
      .execute();
    if (rows.length > 0)
      yield rows.map((row) => ({ ...toStoredListEntry(row), removed: row.removed_at !== null }));
    const end = rows.at(-1);
    if (!end || rows.length < CHANGES_PER_STEP) return;
    last = end;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function deleteExpired({ db, transact }: RecordsEngine, now: number): Promise<number> {
  let deleted = 0;
  for (;;) {
    const rows = await db
      .selectFrom('list_entries')
      .select(['id', 'revision'])
      .where((where) =>
        where.or([
          where('removed_at', '<', now - REMOVED_KEPT_MS),
          where('expires_at', '<', now - EXPIRED_KEPT_MS),
        ]),
      )
      .limit(ROWS_PER_STATEMENT)
      .execute();
    if (rows.length === 0) return deleted;
    const newest = Math.max(...rows.map(({ revision }) => revision));
    const ids = rows.map(({ id }) => id);
    const revisions = rows.map(({ revision }) => revision);
    deleted += await transact(async (trx) => {
      await trx
        .updateTable('list_state')
        .set({ complete_from: newest })
        .where('complete_from', '<', newest)
        .execute();
      const { numDeletedRows } = await trx
        .deleteFrom('list_entries')
        .where('id', 'in', ids)
        // One that was renewed in the meantime has another revision.
        .where('revision', 'in', revisions)
        .executeTakeFirst();
      return Number(numDeletedRows);
    });
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function* stepsOf<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    yield rows.slice(start, start + ROWS_PER_STATEMENT);
  }
}

function toStoredListEntry(row: Selectable<ListEntriesTable>): StoredListEntry {
  return {
    id: row.id,
    list: row.verdict,
    kind: row.kind,
    value: row.value,
    typed: row.typed,
    note: row.note,
    authorId: row.author_id,
    authorName: row.author_name,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revision: row.revision,
  };
}
