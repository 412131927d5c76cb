import { CompiledQuery, type Kysely, sql } from 'kysely';
import type { StorageSchema } from '../storage-schema.ts';
import type { CountRows } from './count-groups.ts';
import { newestId, type RollupCursor } from './read-pending.ts';

type Transaction = Kysely<StorageSchema>;

const COLUMNS = {
  rollup_decisions: [
    'scope',
    'hour',
    'degraded',
    'test',
    'door',
    'route',
    'mode',
    'risk_level',
    'wanted_action',
  ],
  rollup_reasons: ['scope', 'unit', 'hour', 'route', 'risk_level', 'code'],
  rollup_durations: ['scope', 'hour', 'class', 'route'],
} as const;

export type CountTable = keyof typeof COLUMNS;

export interface Counted {
  /** The cursor when the decisions were read. */
  readonly cursor: RollupCursor;
  readonly upTo: number;
  readonly rows: CountRows;
}

/**
 * Moves the cursor and adds the counts. To be called in a transaction.
 *
 * @returns false, and adds nothing, when the cursor has moved.
 */
export async function addCounts(trx: Transaction, { cursor, upTo, rows }: Counted): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('rollup_cursor')
    .set({ position: upTo })
    .where('position', '=', cursor.position)
    .where('generation', '=', cursor.generation)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await add(trx, 'rollup_decisions', rows.decisions);
  await add(trx, 'rollup_reasons', rows.reasons);
  await add(trx, 'rollup_durations', rows.durations);
  return true;
}

async function add(
  trx: Transaction,
  table: CountTable,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  if (rows.length === 0) return;
  await trx.executeQuery(CompiledQuery.raw(addCountsText(table), [countsParameter(table, rows)]));
}

/** All rows as one JSON parameter: 5 ms for a thousand; an insert with as many values takes 15 ms. */
export function addCountsText(table: CountTable): string {
  const key: readonly string[] = COLUMNS[table];
  const columns = [...key, 'count'];
  return `INSERT INTO ${table} (${columns})
    SELECT ${columns.map((_, i) => `value ->> ${i}`)} FROM json_each(?) WHERE true
    ON CONFLICT (${key}) DO UPDATE SET count = ${table}.count + excluded.count`;
}

export function countsParameter(
  table: CountTable,
  rows: readonly Readonly<Record<string, unknown>>[],
): string {
  const columns = [...COLUMNS[table], 'count'];
  return JSON.stringify(rows.map((row) => columns.map((column) => row[column])));
}

/**
 * To be called in a transaction that has deleted decisions. SQLite may reuse the newest ids: the cursor moves back, so
 * that decisions with reused ids are counted. The new generation stops an aggregation that has read deleted decisions.
 * Deleting decisions that are counted already changes nothing; retention deletes only those.
 */
export async function moveCursorBack(trx: Transaction, newestDeleted: number): Promise<void> {
  const newest = await newestId({ db: trx });
  await trx
    .updateTable('rollup_cursor')
    .set((column) => ({
      position: sql<number>`CASE WHEN position > ${newest} THEN ${newest} ELSE position END`,
      generation: column('generation', '+', 1),
    }))
    .where((where) => where.or([where('position', '>', newest), where('position', '<', newestDeleted)]))
    .execute();
}
