import { type Kysely, sql } from 'kysely';
import { jsonParameter } from '../engine/clean-text.ts';
import type { StorageEngine } from '../engine/engine.ts';
import type { StorageSchema } from '../storage-schema.ts';
import type { CopyTarget } from './copy-target.ts';
import type { PendingCount } from './pending-counts.ts';
import { createPostgresTableReader } from './table-reader.ts';

type Transaction = Kysely<StorageSchema>;

const DAY_MS = 86_400_000;
/** The newest of three years; older decisions, which come from a very wrong clock, go to the DEFAULT partition. */
const MAX_DAYS = 1_100;
const PENDING_ROWS = 1_000;
const NUMBERED = ['decisions', 'answers', 'verification_mails', 'list_entries', 'audit_log'] as const;

export function createPostgresTarget(engine: StorageEngine): CopyTarget {
  const { db } = engine;
  return {
    reader: createPostgresTableReader(db),
    async prepare(days) {
      const { rows } = await sql<{ readonly today: number }>`
        SELECT floor(extract(epoch FROM now()) / 86400)::bigint AS today`.execute(db);
      // The partitions from today on already exist.
      const past = days.filter((day) => day < (rows[0]?.today ?? 0)).toSorted((one, other) => other - one);
      for (const day of past.slice(0, MAX_DAYS)) await makeDay(engine, day);
    },
    async insert(trx, { name }, columns, rows) {
      const objects = rows.map((row) => Object.fromEntries(columns.map((column, i) => [column, row[i]])));
      await insertObjects(trx, name, columns, objects);
    },
    async finish(trx, pending) {
      for (const table of NUMBERED) await continueNumbers(trx, table);
      await sql`INSERT INTO quota_months (account_id, month, used)
        SELECT account_id, left(day, 7), sum(used) FROM usage_days GROUP BY 1, 2`.execute(trx);
      await addPending(trx, pending);
    },
    async analyze() {
      await engine.transact((trx) => sql`ANALYZE`.execute(trx));
    },
  };
}

/** The partition is like those that `prepare_decision_days_1` makes, so retention drops it at its end. */
async function makeDay({ transact, lock }: StorageEngine, day: number): Promise<void> {
  const first = day * DAY_MS;
  const name = `decisions_${new Date(first).toISOString().slice(0, 10).replaceAll('-', '')}`;
  const table = sql.table(name);
  await transact(async (trx) => {
    await lock(trx, ['decision days']);
    const { rows } = await sql<{ readonly is_there: boolean }>`
      SELECT to_regclass(${name}) IS NOT NULL AS is_there`.execute(trx);
    if (rows[0]?.is_there) return;
    await sql`CREATE TABLE ${table} (LIKE decisions INCLUDING ALL)
      WITH (autovacuum_vacuum_insert_scale_factor = 0.02)`.execute(trx);
    await sql`ALTER TABLE decisions ATTACH PARTITION ${table}
      FOR VALUES FROM (${sql.lit(first)}) TO (${sql.lit(first + DAY_MS)})`.execute(trx);
  });
}

/** One parameter has all rows, for any number of rows. The copied ids replace those that the engine would give. */
async function insertObjects(
  trx: Transaction,
  name: string,
  columns: readonly string[],
  rows: readonly object[],
): Promise<void> {
  const table = sql.table(name);
  const list = sql.join(columns.map((column) => sql.ref(column)));
  await sql`INSERT INTO ${table} (${list}) OVERRIDING SYSTEM VALUE
    SELECT ${list} FROM json_populate_recordset(NULL::${table}, ${jsonParameter(rows)}::json)`.execute(trx);
}

async function continueNumbers(trx: Transaction, table: (typeof NUMBERED)[number]): Promise<void> {
  await sql`SELECT setval(pg_get_serial_sequence(${table}, 'id'), coalesce(max(id), 1), max(id) IS NOT NULL)
    FROM ${sql.table(table)}`.execute(trx);
}

async function addPending(trx: Transaction, pending: readonly PendingCount[]): Promise<void> {
  const [first] = pending;
  if (!first) return;
  for (let at = 0; at < pending.length; at += PENDING_ROWS)
    await insertObjects(trx, 'rollup_deltas', Object.keys(first), pending.slice(at, at + PENDING_ROWS));
}
