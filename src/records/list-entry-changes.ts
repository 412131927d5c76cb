import { type Kysely, type Selectable, sql } from 'kysely';
import type { RecordsEngine } from './engine.ts';
import type { ListChange } from './list-entry-records.ts';
import type { ListEntriesTable, RecordsSchema } from './schema.ts';

const DAY_MS = 86_400_000;
/** A process that slept longer reads all entries anew. */
const REMOVED_KEPT_MS = DAY_MS;
/** So that people can see what expired, and renew it. */
const EXPIRED_KEPT_MS = 30 * DAY_MS;
/** Rows read or deleted between two turns of the event loop. */
const STEP_ROWS = 1_000;

/** What other processes changed, for the lists in memory to follow. */
export async function* readListChanges(
  db: Kysely<RecordsSchema>,
  { after, upTo }: { readonly after: number; readonly upTo: number },
): AsyncGenerator<readonly ListChange[]> {
  let last = { revision: after, id: Number.MAX_SAFE_INTEGER };
  for (;;) {
    const { revision, id } = last;
    const rows = await db
      .selectFrom('list_entries')
      .select(['id', 'verdict', 'kind', 'value', 'expires_at', 'removed_at', 'revision'])
      .where(sql<boolean>`(revision, id) > (${revision}, ${id})`)
      .where('revision', '<=', upTo)
      .orderBy('revision')
      .orderBy('id')
      .limit(STEP_ROWS)
      .execute();
    if (rows.length > 0) yield rows.map(toListChange);
    const end = rows.at(-1);
    if (!end || rows.length < STEP_ROWS) return;
    last = end;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function toListChange(
  row: Pick<Selectable<ListEntriesTable>, 'id' | 'verdict' | 'kind' | 'value' | 'expires_at' | 'removed_at'>,
): ListChange {
  const { id, verdict, kind, value, expires_at, removed_at } = row;
  return { id, list: verdict, kind, value, expiresAt: expires_at, removed: removed_at !== null };
}

export async function deleteExpiredListEntries(
  { db, transact }: RecordsEngine,
  now: number,
): Promise<number> {
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
      .limit(STEP_ROWS)
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
