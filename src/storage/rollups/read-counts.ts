import { type Kysely, sql } from 'kysely';
import { DURATION_BOUNDS_MS } from '../../telemetry/instruments.ts';
import type { StorageSchema } from '../storage-schema.ts';
import { ALL_ACCOUNTS, DAY_HOURS } from './count-groups.ts';
import { HOUR_MS } from './decision-groups.ts';
import type { DecisionCount, ReasonCount, RollupQuery } from './rollup-store.ts';

type Reader = Kysely<StorageSchema>;

/** Longer ranges count reasons by whole days. */
const MAX_HOURS_OF_REASONS = 7 * DAY_HOURS;

export async function readDecisionCounts(
  reader: Reader,
  query: RollupQuery,
): Promise<readonly DecisionCount[]> {
  const { periodHours } = query;
  const period =
    periodHours === undefined
      ? sql<number>`0`
      : sql<number>`hour / ${sql.lit(periodHours)} * ${sql.lit(periodHours * HOUR_MS)}`;
  const kept = ['risk_level', 'wanted_action', 'mode', 'degraded', 'test'] as const;
  const rows = await reader
    .selectFrom('rollup_decisions')
    .select([period.as('period'), ...kept])
    .select(({ fn }) => fn.sum<number>('count').as('count'))
    .where(matches(query))
    .groupBy(['period', ...kept])
    .execute();
  return rows.map((row) => ({
    period: row.period,
    riskLevel: row.risk_level as DecisionCount['riskLevel'],
    wantedAction: orNull(row.wanted_action) as DecisionCount['wantedAction'],
    mode: orNull(row.mode) as DecisionCount['mode'],
    degraded: row.degraded === 1,
    test: row.test === 1,
    count: row.count,
  }));
}

export async function readReasonCounts(reader: Reader, query: RollupQuery): Promise<readonly ReasonCount[]> {
  const hours = (query.to - query.from) / HOUR_MS;
  const isLong = hours > MAX_HOURS_OF_REASONS;
  const rows = await reader
    .selectFrom('rollup_reasons')
    .select(['code', 'risk_level'])
    .select(({ fn }) => fn.sum<number>('count').as('count'))
    .where('unit', '=', isLong ? DAY_HOURS : 1)
    .where(matches(query))
    .groupBy(['code', 'risk_level'])
    .execute();
  return rows.map(({ code, risk_level, count }) => {
    return { code, riskLevel: risk_level as ReasonCount['riskLevel'], count };
  });
}

export async function readDurationCounts(reader: Reader, query: RollupQuery): Promise<readonly number[]> {
  const rows = await reader
    .selectFrom('rollup_durations')
    .select('class')
    .select(({ fn }) => fn.sum<number>('count').as('count'))
    .where(matches(query))
    .groupBy('class')
    .execute();
  const counts = new Array<number>(DURATION_BOUNDS_MS.length + 1).fill(0);
  for (const { class: place, count } of rows) counts[place] = count;
  return counts;
}

export async function readRoutes(
  reader: Reader,
  { from, to }: Pick<RollupQuery, 'from' | 'to'>,
): Promise<readonly string[]> {
  const rows = await reader
    .selectFrom('rollup_decisions')
    .select('route')
    .distinct()
    .where(matches({ accountId: null, route: null, from, to }))
    .where('route', '!=', '')
    .orderBy('route')
    .execute();
  return rows.map(({ route }) => route);
}

const MAX_ACCOUNTS = 200;

export async function readAccounts(
  reader: Reader,
  { from, to }: Pick<RollupQuery, 'from' | 'to'>,
): Promise<readonly { readonly id: string; readonly name: string }[]> {
  return reader
    .selectFrom('accounts')
    .select(['id', 'name'])
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('rollup_decisions')
          .select('count')
          .whereRef('scope', '=', 'accounts.id')
          .where('hour', '>=', hourFrom(from))
          .where('hour', '<', hourFrom(to)),
      ),
    )
    .orderBy('name')
    .limit(MAX_ACCOUNTS)
    .execute();
}

function matches({ accountId, route, from, to }: RollupQuery) {
  const scope = accountId ?? ALL_ACCOUNTS;
  const within = sql<boolean>`scope = ${scope} AND hour >= ${hourFrom(from)} AND hour < ${hourFrom(to)}`;
  return route === null ? within : sql<boolean>`${within} AND route = ${route}`;
}

/** The first hour that begins at that time or later. PostgreSQL compares whole hours with whole numbers only. */
function hourFrom(time: number): number {
  return Math.ceil(time / HOUR_MS);
}

function orNull(text: string): string | null {
  return text === '' ? null : text;
}
