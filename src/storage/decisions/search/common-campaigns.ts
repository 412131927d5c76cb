import { type RawBuilder, sql } from 'kysely';
import { type Campaign, type CampaignKind, MAX_CAMPAIGNS, SMALLEST_CAMPAIGN } from './campaign.ts';
import { type DecisionQuery, hasCode, hasPassed } from './decision-filter.ts';
import type { EvidenceKind } from './evidence-campaigns.ts';

export type CommonKind = Exclude<CampaignKind, EvidenceKind>;

/** The domain, unless it is a public mail provider's. */
export const OWN_DOMAIN: RawBuilder<string | null> = sql`
  CASE WHEN ${hasCode('personal_email')} OR ${hasCode('relay_email')} THEN NULL ELSE domain END`;

/** What attempts of a kind share, all in the index. A device is a user agent in one network, as for velocity. */
const KEYS: Readonly<Record<CommonKind, RawBuilder<string | null>>> = {
  template: sql`template`,
  domain: OWN_DOMAIN,
  network: sql`network`,
  device: sql`network || ' ' || user_agent`,
};
const MAILBOXES = sql<number>`count(DISTINCT mailbox)`;

/** Candidates, by attempts: many attempts may come from few mailboxes. */
const MAX_CANDIDATES = 200;

/** Counted by the database, in the index only. */
export async function findCommonCampaigns(
  attempts: DecisionQuery,
  kind: CommonKind,
): Promise<readonly Campaign[]> {
  const key = KEYS[kind];
  // Counting the different mailboxes of every group would take four times as long as of the largest.
  const candidates = attempts
    .where(key, 'is not', null)
    .groupBy(key)
    .having(sql`count(*)`, '>=', SMALLEST_CAMPAIGN)
    .orderBy(sql`count(*)`, 'desc')
    .limit(MAX_CANDIDATES)
    .select(key.as('key'));
  const rows = await summarize(attempts.where(key, 'in', candidates), kind)
    .having(MAILBOXES, '>=', SMALLEST_CAMPAIGN)
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
  const row = await summarize(attempts.where(KEYS[kind], '=', key), kind).executeTakeFirst();
  return row ? toCampaign(row, kind) : null;
}

function summarize(attempts: DecisionQuery, kind: CommonKind) {
  const key = KEYS[kind];
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
      sql<number>`sum(CASE WHEN ${hasPassed(where)} THEN 1 + repeats ELSE 0 END)`.as('passed'),
      sql<number>`min(processed_at)`.as('first'),
      sql<number>`max(processed_at)`.as('last'),
    ]);
}

type Summary = Awaited<ReturnType<ReturnType<typeof summarize>['execute']>>[number];

function toCampaign({ key, low, medium, high, ...counted }: Summary, kind: CommonKind): Campaign {
  return { ...counted, kind, key: key ?? '', levels: { low, medium, high }, backendDomains: [] };
}
