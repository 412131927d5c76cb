import { type Kysely, type Selectable, sql } from 'kysely';
import type { StorageEngine } from '../engine/engine.ts';
import type { StorageSchema } from '../storage-schema.ts';
import type { ListChange } from './list-entry-store.ts';
import type { ListEntriesTable } from './list-entry-tables.ts';

const DAY_MS = 86_400_000;
/** A process that was suspended for longer reads all entries again. */
const REMOVED_KEPT_MS = DAY_MS;
/** So that an operator can see what expired, and renew it. */
const EXPIRED_KEPT_MS = 30 * DAY_MS;
/** Rows read or deleted between two turns of the event loop. */
const STEP_ROWS = 1_000;

/** Changes of other processes, for the lists in memory to apply. */
export async function* readListChanges(
  db: Kysely<StorageSchema>,
  { after, upTo }: { readonly after: number; readonly upTo: number },
): AsyncGenerator<readonly ListChange[]> {
  let last: Position = [after, Number.MAX_SAFE_INTEGER];
  for (;;) {
    // As one JSON text: the driver's rows cost more than twice as much.
    const { rows } = await sql<{ readonly changes: string }>`SELECT json_group_array(json_array(
        revision, id, verdict, kind, value, expires_at, removed_at) ORDER BY revision, id) AS changes
      FROM (SELECT * FROM list_entries WHERE (revision, id) > (${last[0]}, ${last[1]}) AND revision <= ${upTo}
        ORDER BY revision, id LIMIT ${STEP_ROWS})`.execute(db);
    const changes = JSON.parse(rows[0]?.changes ?? '[]') as readonly ChangeTuple[];
    if (changes.length > 0) yield changes.map(toListChange);
    const end = changes.at(-1);
    if (!end || changes.length < STEP_ROWS) return;
    last = [end[0], end[1]];
    await new Promise((resolve) => setImmediate(resolve));
  }
}

type Position = readonly [revision: number, id: number];
type Row = Selectable<ListEntriesTable>;
type ChangeTuple = readonly [
  ...Position,
  verdict: Row['verdict'],
  kind: Row['kind'],
  value: string,
  expiresAt: number | null,
  removedAt: number | null,
];

function toListChange([, id, list, kind, value, expiresAt, removedAt]: ChangeTuple): ListChange {
  return { id, list, kind, value, expiresAt, removed: removedAt !== null };
}

export async function deleteExpiredListEntries(
  { db, transact }: StorageEngine,
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
        // An entry that was renewed meanwhile has another revision.
        .where('revision', 'in', revisions)
        .executeTakeFirst();
      return Number(numDeletedRows);
    });
    await new Promise((resolve) => setImmediate(resolve));
  }
}
