import { sql } from 'kysely';
import type { StorageEngine } from '../engine/engine.ts';
import type { DecisionBound, DecisionTrim } from './decision-bounds.ts';

const WEEK_MS = 7 * 86_400_000;

/** The deletions because of the bounds within the last week. */
export async function readTrims(
  { db }: Pick<StorageEngine, 'db'>,
  now: number,
): Promise<readonly DecisionTrim[]> {
  const rows = await db
    .selectFrom('decision_trims')
    .selectAll()
    .where('last_at', '>', now - WEEK_MS)
    .orderBy('bound')
    .execute();
  return rows.map(({ bound, since, last_at, deleted }) => ({ bound, since, lastAt: last_at, deleted }));
}

/** Adds to the number of deletions because of a bound. */
export async function noteTrim(
  { transact }: StorageEngine,
  { bound, count, now }: { readonly bound: DecisionBound; readonly count: number; readonly now: number },
): Promise<void> {
  const isNew = sql<boolean>`decision_trims.last_at <= ${now - WEEK_MS}`;
  await transact((trx) =>
    trx
      .insertInto('decision_trims')
      .values({ bound, since: now, last_at: now, deleted: count })
      .onConflict((conflict) =>
        conflict.column('bound').doUpdateSet({
          since: sql`CASE WHEN ${isNew} THEN ${now} ELSE decision_trims.since END`,
          deleted: sql`CASE WHEN ${isNew} THEN 0 ELSE decision_trims.deleted END + ${count}`,
          last_at: now,
        }),
      )
      .execute(),
  );
}
