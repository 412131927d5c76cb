import { sql } from 'kysely';
import type { StorageEngine } from '../engine/engine.ts';
import { ALL_ACCOUNTS, DAY_HOURS } from './count-groups.ts';
import type { RollupCounting } from './rollup-store.ts';

/** Rows moved at once: about 100 ms of the server. Fewer after it did not finish them in time. */
const MAX_DELTAS = 2_000;
const MIN_DELTAS = 100;

/**
 * Counts decisions on PostgreSQL: each group of decisions adds rows to `rollup_deltas` in its own transaction, and this
 * moves them to the rollups. The counts are exact for every order of commits. A cursor over ids would not be exact,
 * since a row gets its id before its transaction ends. One node moves rows at a time; the others then find no rows.
 */
export function createDeltaAggregation(engine: StorageEngine): RollupCounting {
  let size = MAX_DELTAS;

  function move(deltas: number): Promise<Moved | undefined> {
    return engine.transact(async (trx) => {
      await engine.lock(trx, ['rollup deltas']);
      const { rows } = await moveDeltas(deltas).execute(trx);
      return rows[0];
    });
  }

  return {
    async aggregate() {
      const most = size;
      size = Math.max(MIN_DELTAS, size >> 1);
      const moved = await move(most);
      size = Math.min(MAX_DELTAS, most * 2);
      return { aggregated: moved?.decisions ?? 0, hasMore: (moved?.deltas ?? 0) >= most };
    },
    async countPending() {
      const { rows } = await sql<{ readonly pending: number }>`
        SELECT coalesce(sum(count), 0) AS pending FROM rollup_deltas`.execute(engine.db);
      return rows[0]?.pending ?? 0;
    },
  };
}

interface Moved {
  readonly deltas: number;
  readonly decisions: number;
}

/** Decisions of test keys are counted, but neither their reasons nor their durations. */
const moveDeltas = (most: number) => sql<Moved>`
  WITH moved AS (
    DELETE FROM rollup_deltas
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM rollup_deltas LIMIT ${sql.lit(most)})) RETURNING *
  ), scoped AS MATERIALIZED (
    SELECT ${sql.lit(ALL_ACCOUNTS)} AS scope, moved.* FROM moved
    UNION ALL SELECT account_id, moved.* FROM moved WHERE account_id IS NOT NULL
  ), counted AS (
    INSERT INTO rollup_decisions AS r
      (scope, hour, degraded, test, door, route, mode, risk_level, wanted_action, count)
    SELECT scope, hour, degraded, test, door, route, mode, risk_level, wanted_action, sum(count)
    FROM scoped GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9
    ON CONFLICT (scope, hour, degraded, test, door, route, mode, risk_level, wanted_action)
      DO UPDATE SET count = r.count + excluded.count
  ), reasons AS (
    INSERT INTO rollup_reasons AS r (scope, unit, hour, route, risk_level, code, count)
    SELECT scope, unit, hour - hour % unit, route, risk_level, code, sum(count)
    FROM scoped CROSS JOIN unnest(string_to_array(trim(codes), ' ')) AS code
      CROSS JOIN (VALUES (1), (${sql.lit(DAY_HOURS)})) AS units (unit)
    WHERE test = 0 AND code <> '' GROUP BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (scope, unit, hour, route, risk_level, code) DO UPDATE SET count = r.count + excluded.count
  ), durations AS (
    INSERT INTO rollup_durations AS r (scope, hour, class, route, count)
    SELECT scope, hour, class, route, sum(count) FROM scoped WHERE test = 0 GROUP BY 1, 2, 3, 4
    ON CONFLICT (scope, hour, class, route) DO UPDATE SET count = r.count + excluded.count
  )
  SELECT count(*) AS deltas, coalesce(sum(count), 0) AS decisions FROM moved`;
