import { type Selectable, sql } from 'kysely';
import type { StorageEngine } from '../engine/engine.ts';
import type { ListChange } from './list-entry-store.ts';
import type { ListEntriesTable } from './list-entry-tables.ts';

/** Rows read between two ticks of the event loop. */
const STEP_ROWS = 1_000;
const COLUMNS = ['revision', 'id', 'verdict', 'kind', 'value', 'expires_at', 'removed_at'];

/** Changes of other processes, for the lists in memory to apply. */
export async function* readListChanges(
  { db, fragments }: Pick<StorageEngine, 'db' | 'fragments'>,
  { after, upTo }: { readonly after: number; readonly upTo: number },
): AsyncGenerator<readonly ListChange[]> {
  let last: Position = [after, Number.MAX_SAFE_INTEGER];
  for (;;) {
    // The rows come as one JSON text: the driver's rows cost more than twice as much.
    const { rows } = await sql<{ readonly changes: string }>`
      SELECT ${fragments.jsonOfRows(COLUMNS, ['revision', 'id'])} AS changes FROM (SELECT * FROM list_entries WHERE (revision, id) > (${last[0]}, ${last[1]}) AND revision <= ${upTo}
        ORDER BY revision, id LIMIT ${STEP_ROWS}) AS changed`.execute(db);
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
