import { type RawBuilder, sql } from 'kysely';
import type { StorageEngine } from '../../engine/engine.ts';
import type { ReplayableDecision } from '../decision-record.ts';
import type { Campaign } from './campaign.ts';
import { isOfKey, OWN_DOMAIN } from './common-campaigns.ts';
import type { DecisionPlace } from './decision-cursor.ts';
import { hasPassed } from './decision-filter.ts';
import { isOfEvidence } from './evidence-campaigns.ts';
import { isEvidence } from './find-campaigns.ts';

const BARS = 48;
const SHORTEST_PERIOD_MS = 60_000;
const EXAMPLES = 21;
const PASSED_BY = 10;
/** Rows of 4 KB at most. */
const NEWEST = 200;

/** The details of the attempts of one campaign. */
export interface CampaignDetails {
  /** The attempts over the time of the campaign, by level, in at most 48 periods. */
  readonly bars: readonly CampaignBar[];
  /** At most 21, in the order of the alphabet. Domains of public mail providers are left out. */
  readonly domains: readonly string[];
  readonly networks: readonly string[];
  /** The routes and accounts by which most attempts passed: at most 10, the most frequent first. */
  readonly passedBy: readonly PassedBy[];
  /** The newest 200 decisions. */
  readonly newest: readonly ReplayableDecision[];
}

export interface CampaignBar {
  /** Start of the period, milliseconds since the epoch. */
  readonly at: number;
  readonly low: number;
  readonly medium: number;
  readonly high: number;
}

export interface PassedBy {
  /** Null: the gate. */
  readonly accountId: string | null;
  /** Null for an account. */
  readonly route: string | null;
  readonly attempts: number;
}

/**
 * The members of the campaign are selected once and counted several times. The number of attempts between the first and
 * the last member is bounded by the search that found the campaign.
 */
export async function findDetails(
  engine: Pick<StorageEngine, 'reader' | 'fragments'>,
  campaign: Campaign,
): Promise<Omit<CampaignDetails, 'newest'> & { readonly newest: readonly DecisionPlace[] }> {
  const { reader, fragments } = engine;
  const { first, last } = campaign;
  const periodMs = Math.max(SHORTEST_PERIOD_MS, Math.ceil((last + 1 - first) / BARS));
  const members = reader
    .selectFrom('decisions')
    .where('processed_at', '>=', first)
    .where('processed_at', '<=', last)
    .where('test', '=', 0)
    .where(isMember(campaign))
    .select((where) => [
      ...(['id', 'processed_at', 'account_id', 'route', 'risk_level', 'network'] as const),
      OWN_DOMAIN.as('own_domain'),
      sql<number>`1 + repeats`.as('attempts'),
      where.case().when(hasPassed(where)).then(1).else(0).end().as('passed'),
    ]);
  const listOf = (columns: readonly string[], order: readonly string[], rows: RawBuilder<unknown>) =>
    sql<string>`(SELECT ${fragments.jsonOfRows(columns, order)} FROM (${rows}) AS listed)`;
  const examplesOf = (column: string) =>
    listOf(
      ['value'],
      ['value'],
      sql`SELECT DISTINCT ${sql.ref(column)} AS value FROM members WHERE ${sql.ref(column)} IS NOT NULL ORDER BY 1
        LIMIT ${sql.lit(EXAMPLES)}`,
    );
  const { rows } = await sql<Record<keyof CampaignDetails, string>>`
    WITH members AS MATERIALIZED ${members}
    SELECT ${listOf(
      ['period', 'risk_level', 'attempts'],
      ['period'],
      sql`SELECT (processed_at - ${sql.lit(first)}) / ${sql.lit(periodMs)} AS period, risk_level, sum(attempts) AS attempts
        FROM members GROUP BY 1, 2`,
    )} AS bars,
    ${examplesOf('own_domain')} AS domains,
    ${examplesOf('network')} AS networks,
    ${listOf(
      ['account_id', 'route', 'attempts'],
      ['place'],
      sql`SELECT account_id, route, attempts, row_number() OVER (ORDER BY attempts DESC, coalesce(account_id, route)) AS place
        FROM (SELECT account_id, CASE WHEN account_id IS NULL THEN route END AS route, sum(attempts) AS attempts
          FROM members WHERE passed = 1 GROUP BY 1, 2) AS doors
        ORDER BY place LIMIT ${sql.lit(PASSED_BY)}`,
    )} AS "passedBy",
    ${listOf(
      ['processed_at', 'id'],
      ['processed_at', 'id'],
      sql`SELECT processed_at, id FROM members ORDER BY processed_at DESC, id DESC LIMIT ${sql.lit(NEWEST)}`,
    )} AS newest`.execute(reader);
  const [row] = rows;
  const parse = <Row>(name: keyof CampaignDetails) => JSON.parse(row?.[name] ?? '[]') as readonly Row[];
  return {
    bars: toBars(parse<[number, string, number]>('bars'), { first, last, periodMs }),
    domains: parse<[string]>('domains').map(([value]) => value),
    networks: parse<[string]>('networks').map(([value]) => value),
    passedBy: parse<[string | null, string | null, number]>('passedBy').map(
      ([accountId, route, attempts]) => ({ accountId, route, attempts }),
    ),
    newest: parse<[number, number]>('newest')
      .map(([processedAt, id]) => ({ processedAt, id }))
      .reverse(),
  };
}

function isMember(campaign: Campaign) {
  const { kind, key } = campaign;
  return isEvidence(kind) ? isOfEvidence(kind, campaign) : isOfKey(kind, key);
}

function toBars(
  counted: readonly (readonly [period: number, level: string, count: number])[],
  { first, last, periodMs }: { readonly first: number; readonly last: number; readonly periodMs: number },
): readonly CampaignBar[] {
  const bars = Array.from({ length: Math.ceil((last + 1 - first) / periodMs) }, (_, i) => {
    return { at: first + i * periodMs, low: 0, medium: 0, high: 0 };
  });
  for (const [period, level, count] of counted) {
    const bar = bars[period];
    if (bar && (level === 'low' || level === 'medium' || level === 'high')) bar[level] += count;
  }
  return bars;
}
