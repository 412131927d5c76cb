import { sql } from 'kysely';
import { DURATION_BOUNDS_MS } from '../../telemetry/instruments.ts';
import type { StorageEngine } from '../engine/engine.ts';
import {
  type DecisionGroup,
  type DurationGroup,
  HOUR_MS,
  type IdRange,
  type ReasonGroup,
} from './decision-groups.ts';

/** Decisions up to `position` are counted. The generation grows when decisions are deleted: their ids may be reused. */
export interface RollupCursor {
  readonly position: number;
  readonly generation: number;
}

export async function readRollupCursor({ db }: Pick<StorageEngine, 'db'>): Promise<RollupCursor> {
  return db.selectFrom('rollup_cursor').select(['position', 'generation']).executeTakeFirstOrThrow();
}

export async function newestId({ db }: Pick<StorageEngine, 'db'>): Promise<number> {
  const { newest } = await db
    .selectFrom('decisions')
    .select(({ fn }) => fn.max('id').as('newest'))
    .executeTakeFirstOrThrow();
  return newest ?? 0;
}

export async function groupDecisions(
  { reader }: Pick<StorageEngine, 'reader'>,
  { after, upTo }: IdRange,
): Promise<readonly DecisionGroup[]> {
  const columns = [
    'account_id',
    'door',
    'route',
    'mode',
    'risk_level',
    'wanted_action',
    'degraded',
    'test',
  ] as const;
  return reader
    .selectFrom('decisions')
    .select([hourOf.as('hour'), ...columns])
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('id', '>', after)
    .where('id', '<=', upTo)
    .groupBy(['hour', ...columns])
    .execute();
}

/**
 * A decision counts under each of its codes. The column is split as JSON, once for all decisions with the same codes,
 * because many share them.
 */
export async function groupReasons(
  { reader }: Pick<StorageEngine, 'reader'>,
  { after, upTo }: IdRange,
): Promise<readonly ReasonGroup[]> {
  const { rows } = await sql<ReasonGroup>`
    WITH pending AS MATERIALIZED (
      SELECT ${hourOf} AS hour, account_id, route, risk_level, codes, count(*) AS decisions
      FROM decisions WHERE id > ${after} AND id <= ${upTo} AND test = 0 AND trim(codes) <> ''
      GROUP BY 1, 2, 3, 4, 5
    )
    SELECT hour, account_id, route, risk_level, value AS code, sum(decisions) AS count
    FROM pending, json_each('["' || replace(trim(pending.codes), ' ', '","') || '"]')
    GROUP BY 1, 2, 3, 4, 5`.execute(reader);
  return rows;
}

export async function groupDurations(
  { reader }: Pick<StorageEngine, 'reader'>,
  { after, upTo }: IdRange,
): Promise<readonly DurationGroup[]> {
  const bounds = DURATION_BOUNDS_MS.map(
    (bound, i) => sql`WHEN elapsed <= ${sql.lit(bound)} THEN ${sql.lit(i)}`,
  );
  // Materialised: otherwise the JSON is read again for each bound.
  const { rows } = await sql<DurationGroup>`
    WITH timed AS MATERIALIZED (
      SELECT ${hourOf} AS hour, account_id, route, json_extract(detail, '$.elapsedMs') AS elapsed
      FROM decisions WHERE id > ${after} AND id <= ${upTo} AND test = 0
    )
    SELECT hour, account_id, route,
      CASE ${sql.join(bounds, sql` `)} ELSE ${sql.lit(DURATION_BOUNDS_MS.length)} END AS class,
      count(*) AS count
    FROM timed GROUP BY 1, 2, 3, 4`.execute(reader);
  return rows;
}

const hourOf = sql<number>`processed_at / ${sql.lit(HOUR_MS)}`;
