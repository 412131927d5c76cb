import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { StorageEngine } from '../engine/engine.ts';
import { DAYS_AHEAD } from '../migrations/postgres/partition-functions.ts';
import { StorageBusyError } from '../storage-error.ts';
import type { StorageSchema } from '../storage-schema.ts';

/** Rows deleted in one transaction: some 50 ms, and only these rows are locked. */
const STEP_ROWS = 5_000;
/** All signups wait behind a lock on the partitions, so its wait is short, and it is tried again. */
const LOCK_TIMEOUT_MS = 250;
const LOCK_ATTEMPTS = 8;

type Transaction = Kysely<StorageSchema>;

/** Makes the partitions of the days ahead. While a long query holds the table, the next hour is early enough. */
export async function prepareDays(engine: StorageEngine): Promise<void> {
  await withShortLock(engine, (trx) => sql`SELECT prepare_decision_days_1(${DAYS_AHEAD})`.execute(trx)).catch(
    (error: unknown) => {
      if (!(error instanceof StorageBusyError)) throw error;
    },
  );
}

/** The number of days after today, by the clock of the database, that have their partition. */
export async function countDaysAhead({ reader }: Pick<StorageEngine, 'reader'>): Promise<number> {
  const { rows } = await sql<{ readonly days: number }>`
    SELECT count(*) AS days FROM generate_series(1, ${DAYS_AHEAD}::int) AS day WHERE to_regclass(
      'decisions_' || to_char(now() AT TIME ZONE 'UTC' + day * interval '1 day', 'YYYYMMDD')) IS NOT NULL`.execute(
    reader,
  );
  return rows[0]?.days ?? 0;
}

/** Drops partitions of days that ended before that time. Returns the approximate number of their rows. */
export async function dropDays(
  engine: StorageEngine,
  before: number,
  most = Number.POSITIVE_INFINITY,
): Promise<number> {
  let deleted = 0;
  for (let days = 0; days < most; days++) {
    const { rows } = await withShortLock(engine, (trx) =>
      sql<{ readonly gone: number | null }>`SELECT drop_decision_day_1(${before}) AS gone`.execute(trx),
    );
    const gone = rows[0]?.gone ?? null;
    if (gone === null) return deleted;
    deleted += gone;
  }
  return deleted;
}

async function withShortLock<T>(engine: StorageEngine, work: (trx: Transaction) => Promise<T>): Promise<T> {
  for (let left = LOCK_ATTEMPTS; ; left--) {
    try {
      return await engine.transact(async (trx) => {
        await sql`SET LOCAL lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(trx);
        return work(trx);
      });
    } catch (error) {
      if (!(error instanceof StorageBusyError) || left <= 1) throw error;
    }
  }
}

/** By their places. A row that changes meanwhile stays for the next time. */
export async function deleteInSteps(
  { transact }: StorageEngine,
  table: string,
  condition: RawBuilder<unknown>,
  most = Number.POSITIVE_INFINITY,
): Promise<number> {
  for (let deleted = 0; ; ) {
    const limit = Math.min(STEP_ROWS, most - deleted);
    const { numAffectedRows } = await transact((trx) =>
      sql`DELETE FROM ${sql.table(table)} WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM ${sql.table(table)} WHERE ${condition} LIMIT ${sql.lit(limit)}))`.execute(trx),
    );
    deleted += Number(numAffectedRows ?? 0);
    if (numAffectedRows === undefined || numAffectedRows === 0n || deleted >= most) return deleted;
  }
}
