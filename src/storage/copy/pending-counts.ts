import { type Kysely, sql } from 'kysely';
import { DURATION_BOUNDS_MS } from '../../telemetry/instruments.ts';
import { readCodes } from '../decisions/decision-row.ts';
import { type Groups, HOUR_MS } from '../rollups/decision-groups.ts';
import type { StorageSchema } from '../storage-schema.ts';

type Handle = Kysely<StorageSchema>;

/** Decisions that the rollups do not count yet; a row of `rollup_deltas`. Absent texts are empty. */
export interface PendingCount {
  readonly hour: number;
  readonly account_id: string | null;
  readonly door: string;
  readonly route: string;
  readonly mode: string;
  readonly risk_level: string;
  readonly wanted_action: string;
  readonly degraded: number;
  readonly test: number;
  readonly codes: string;
  readonly class: number;
  readonly count: number;
}

/** In SQLite, these are the decisions after the cursor. */
export async function readSqlitePending(db: Handle): Promise<readonly PendingCount[]> {
  const bounds = DURATION_BOUNDS_MS.map(
    (bound, i) => sql`WHEN json_extract(detail, '$.elapsedMs') <= ${sql.lit(bound)} THEN ${sql.lit(i)}`,
  );
  const { rows } = await sql<PendingCount>`
    SELECT processed_at / ${sql.lit(HOUR_MS)} AS hour, account_id, door, coalesce(route, '') AS route,
      coalesce(mode, '') AS mode, risk_level, coalesce(wanted_action, '') AS wanted_action, degraded, test, codes,
      CASE ${sql.join(bounds, sql` `)} ELSE ${sql.lit(DURATION_BOUNDS_MS.length)} END AS class, count(*) AS count
    FROM decisions WHERE id > (SELECT position FROM rollup_cursor)
    GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11`.execute(db);
  return rows;
}

export async function readPostgresPending(db: Handle): Promise<readonly PendingCount[]> {
  const { rows } = await sql<PendingCount>`
    SELECT hour, account_id, door, route, mode, risk_level, wanted_action, degraded, test, codes, class,
      sum(count) AS count
    FROM rollup_deltas GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11`.execute(db);
  return rows;
}

/** Decisions of test keys are counted, but neither their reasons nor their durations. */
export function groupsOf(pending: readonly PendingCount[]): Groups {
  const others = pending.filter(({ test }) => test === 0);
  return {
    decisions: pending,
    reasons: others.flatMap((row) => readCodes(row.codes).map((code) => ({ ...row, code }))),
    durations: others,
  };
}
