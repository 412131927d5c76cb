import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import {
  BURSTS,
  type Campaign,
  type CampaignKind,
  MAX_CAMPAIGNS,
  SMALLEST_CAMPAIGN,
  TRUSTED,
} from './campaign.ts';
import { type DecisionQuery, hasCode, hasPassed } from './decision-filter.ts';
import type { EvidenceKind } from './evidence-campaigns.ts';

export type CommonKind = Exclude<CampaignKind, EvidenceKind>;

/** The domain, unless it is a public mail provider's. */
export const OWN_DOMAIN: RawBuilder<string | null> = sql`
  CASE WHEN ${hasCode('personal_email')} OR ${hasCode('relay_email')} THEN NULL ELSE domain END`;

/** What attempts of a kind share, all in the index. A device is a user agent in one network, as for velocity. */
export const KEYS: Readonly<Record<CommonKind, RawBuilder<string | null>>> = {
  template: sql`template`,
  domain: OWN_DOMAIN,
  network: sql`network`,
  device: sql`network || ' ' || user_agent`,
};

/** Whether an attempt belongs to the key. Equal to a comparison with `KEYS`, whose LIKE would run for every attempt. */
export function isOfKey(kind: CommonKind, key: string): Expression<SqlBool> {
  if (kind === 'domain') return sql<SqlBool>`(domain = ${key} AND ${OWN_DOMAIN} IS NOT NULL)`;
  if (kind !== 'device') return sql<SqlBool>`${KEYS[kind]} = ${key}`;
  const space = key.indexOf(' ');
  return sql<SqlBool>`(network = ${key.slice(0, space)} AND user_agent = ${key.slice(space + 1)})`;
}

const MAILBOXES = sql<number>`count(DISTINCT mailbox)`;

/** Candidates, by attempts: many attempts may come from few mailboxes. */
const MAX_CANDIDATES = 200;

/**
 * Counted by the database, in the index only.
 * @param smallest Different mailboxes of a campaign. The more, the fewer groups are counted in detail.
 */
export async function findCommonCampaigns(
  attempts: DecisionQuery,
  kind: CommonKind,
  smallest = SMALLEST_CAMPAIGN,
): Promise<readonly Campaign[]> {
  const key = KEYS[kind];
  // To count the different mailboxes of every group would take four times as long as for the largest groups only.
  const candidates = attempts
    .where(key, 'is not', null)
    .groupBy(key)
    .having(sql`count(*)`, '>=', smallest)
    .orderBy(sql`count(*)`, 'desc')
    .limit(MAX_CANDIDATES)
    .select(key.as('key'));
  const rows = await summarize(attempts.where(key, 'in', candidates), key)
    .having(MAILBOXES, '>=', smallest)
    .orderBy('mailboxes', 'desc')
    .limit(MAX_CAMPAIGNS)
    .execute();
  return rows.map((row) => toCampaign(row, kind));
}

/** One campaign, of any size. */
export async function findCommonCampaign(
  attempts: DecisionQuery,
  kind: CommonKind,
  key: string,
): Promise<Campaign | null> {
  const row = await summarize(attempts.where(isOfKey(kind, key)), KEYS[kind]).executeTakeFirst();
  return row ? toCampaign(row, kind) : null;
}

/** The attempts of any query, by their key. */
export async function summarizeCampaigns(
  attempts: DecisionQuery,
  { kind, key }: { readonly kind: CommonKind; readonly key: RawBuilder<string | null> },
): Promise<readonly Campaign[]> {
  return (await summarize(attempts, key).execute()).map((row) => toCampaign(row, kind));
}

function summarize(attempts: DecisionQuery, key: RawBuilder<string | null>) {
  const those = (condition: Expression<SqlBool>) =>
    sql<number>`sum(CASE WHEN ${condition} THEN 1 + repeats ELSE 0 END)`;
  const ofLevel = (level: string) =>
    sql<number>`sum(CASE WHEN risk_level = ${level} THEN 1 + repeats ELSE 0 END)`;
  return attempts
    .groupBy(key)
    .select((where) => [
      key.as('key'),
      sql<number>`sum(1 + repeats)`.as('attempts'),
      MAILBOXES.as('mailboxes'),
      sql<number>`count(DISTINCT network)`.as('networks'),
      sql<number>`count(DISTINCT domain)`.as('domains'),
      ofLevel('low').as('low'),
      ofLevel('medium').as('medium'),
      ofLevel('high').as('high'),
      those(hasPassed(where)).as('passed'),
      those(where('outcome', '=', 'verified')).as('verified'),
      those(where('label', '=', 'legitimate')).as('legitimate'),
      those(where('label', '=', 'fraud')).as('fraud'),
      those(where.or(TRUSTED.map(hasCode))).as('trusted'),
      those(where.or(BURSTS.map(hasCode))).as('bursts'),
      sql<number>`min(processed_at)`.as('first'),
      sql<number>`max(processed_at)`.as('last'),
    ]);
}

type Summary = Awaited<ReturnType<ReturnType<typeof summarize>['execute']>>[number];

function toCampaign({ key, low, medium, high, ...counted }: Summary, kind: CommonKind): Campaign {
  return { ...counted, kind, key: key ?? '', levels: { low, medium, high }, backendDomains: [] };
}
