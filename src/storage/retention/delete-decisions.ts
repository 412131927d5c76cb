import { ANSWER_LIFETIME_MS } from '../decisions/create-scoring-ledger.ts';
import type { StorageEngine } from '../engine/engine.ts';
import { moveExportsBack } from '../exports/create-export-store.ts';
import { moveCursorBack } from '../rollups/add-counts.ts';
import { newestId } from '../rollups/read-pending.ts';
import type { ErasedDecisions } from './erasure.ts';

/** A signup that is being scored waits at most about 10 ms for the write lock of the database. */
export const STEP_ROWS = 250;
/** Read without a lock. An erasure reads every decision: an index for it would slow every scoring. */
const SCAN_ROWS = 5_000;

/**
 * Deletes decisions older than `before` and expired answers, a step a transaction, with a turn of the event loop
 * between.
 *
 * @returns how many rows.
 */
export async function deleteExpiredDecisions(
  engine: StorageEngine,
  before: number,
  now: number,
): Promise<number> {
  const { db } = engine;
  const lastAnswer = Math.max(before - 1, now - ANSWER_LIFETIME_MS);
  const decisions = await deleteInSteps(engine, 'decisions', () =>
    db.selectFrom('decisions').select('id').where('processed_at', '<', before).limit(STEP_ROWS).execute(),
  );
  const answers = await deleteInSteps(engine, 'answers', () =>
    db.selectFrom('answers').select('id').where('created_at', '<=', lastAnswer).limit(STEP_ROWS).execute(),
  );
  return decisions + answers;
}

/**
 * Deletes the decisions of a mailbox, under any of its spellings, and their answers. Can be repeated after an
 * interruption.
 *
 * @returns how many decisions.
 */
export async function eraseDecisions(
  engine: StorageEngine,
  { mailboxHash, spellingHash, network }: ErasedDecisions,
): Promise<number> {
  const { db } = engine;
  const { newest } = await db
    .selectFrom('decisions')
    .select(({ fn }) => fn.max('id').as('newest'))
    .executeTakeFirstOrThrow();
  let erased = 0;
  for (let after = 0; after < (newest ?? 0); after += SCAN_ROWS) {
    const rows = await db
      .selectFrom('decisions')
      .select(['id', 'request_id'])
      .where('id', '>', after)
      .where('id', '<=', after + SCAN_ROWS)
      .where((where) => where.or([where('mailbox', '=', mailboxHash), where('spelling', '=', spellingHash)]))
      .$if(network !== undefined, (query) => query.where('network', '=', String(network)))
      .execute();
    for (const step of stepsOf(rows)) erased += await eraseStep(engine, step);
    await nextTurn();
  }
  return erased;
}

async function eraseStep(
  engine: StorageEngine,
  rows: readonly { readonly id: number; readonly request_id: string }[],
): Promise<number> {
  const requestIds = rows.map((row) => row.request_id);
  const answers = await engine.db
    .selectFrom('answers')
    .select('id')
    .where('request_id', 'in', requestIds)
    .execute();
  // The answers first: after an interruption, the next run finds them by the decision.
  await deleteRows(engine, 'answers', answers);
  return deleteRows(engine, 'decisions', rows);
}

async function deleteInSteps(
  engine: StorageEngine,
  table: 'decisions' | 'answers',
  next: () => Promise<readonly { readonly id: number }[]>,
): Promise<number> {
  let deleted = 0;
  for (;;) {
    const rows = await next();
    if (rows.length === 0) return deleted;
    deleted += await deleteRows(engine, table, rows);
    await nextTurn();
  }
}

/** One step: at most `STEP_ROWS` of them. Returns how many there were. */
export function deleteDecisions(
  engine: StorageEngine,
  rows: readonly { readonly id: number }[],
): Promise<number> {
  return deleteRows(engine, 'decisions', rows);
}

async function deleteRows(
  { transact }: StorageEngine,
  table: 'decisions' | 'answers',
  rows: readonly { readonly id: number }[],
): Promise<number> {
  if (rows.length === 0) return 0;
  const ids = rows.map((row) => row.id);
  const { numDeletedRows } = await transact(async (db) => {
    const deleted = await db.deleteFrom(table).where('id', 'in', ids).executeTakeFirst();
    if (table === 'decisions') {
      await moveCursorBack(db, Math.max(...ids));
      await moveExportsBack(db, await newestId({ db }));
    }
    return deleted;
  });
  return Number(numDeletedRows);
}

function* stepsOf<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < rows.length; start += STEP_ROWS) yield rows.slice(start, start + STEP_ROWS);
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
