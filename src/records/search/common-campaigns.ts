import { type RawBuilder, sql } from 'kysely';
import { type Campaign, type CampaignKind, MAX_CAMPAIGNS, SMALLEST_CAMPAIGN } from './campaign.ts';
import { type DecisionQuery, hasCode, hasPassed } from './decision-filter.ts';

/**
 * What attempts of a kind share, told by the index alone. A mail provider that is open to everyone is shared by half of
 * mankind and makes no campaign; a device is a user agent in one network, as velocity has it.
 */
const KEYS: Readonly<Record<Exclude<CampaignKind, 'backend'>, RawBuilder<string | null>>> = {
  template: sql`template`,
  domain: sql`CASE WHEN ${hasCode('personal_email')} OR ${hasCode('relay_email')} THEN NULL ELSE domain END`,
  network: sql`network`,
  device: sql`network || ' ' || user_agent`,
};

/** Of these the campaigns are: a crowd may be few people who tried often. */
const MAX_CROWDS = 200;

/** Counted by the database, over the index alone. */
export async function findCommonCampaigns(
  attempts: DecisionQuery,
  kind: Exclude<CampaignKind, 'backend'>,
): Promise<readonly Campaign[]> {
  const key = KEYS[kind];
  const mailboxes = sql<number>`count(DISTINCT mailbox)`;
  const ofLevel = (level: string) => sql<number>`count(CASE WHEN risk_level = ${level} THEN 1 END)`;
  // Counting different mailboxes of every crowd would take four times as long as of the largest.
  const crowds = attempts
    .where(key, 'is not', null)
    .groupBy(key)
    .having(sql`count(*)`, '>=', SMALLEST_CAMPAIGN)
    .orderBy(sql`count(*)`, 'desc')
    .limit(MAX_CROWDS)
    .select(key.as('key'));
  const rows = await attempts
    .where(key, 'in', crowds)
    .groupBy(key)
    .having(mailboxes, '>=', SMALLEST_CAMPAIGN)
    .select((where) => [
      key.as('key'),
      sql<number>`count(*)`.as('attempts'),
      mailboxes.as('mailboxes'),
      sql<number>`count(DISTINCT network)`.as('networks'),
      sql<number>`count(DISTINCT domain)`.as('domains'),
      ofLevel('low').as('low'),
      ofLevel('medium').as('medium'),
      ofLevel('high').as('high'),
      sql<number>`count(CASE WHEN ${hasPassed(where)} THEN 1 END)`.as('passed'),
      sql<number>`min(processed_at)`.as('first'),
      sql<number>`max(processed_at)`.as('last'),
    ])
    .orderBy('mailboxes', 'desc')
    .limit(MAX_CAMPAIGNS)
    .execute();
  return rows.map(({ key: common, low, medium, high, ...counted }) => ({
    ...counted,
    kind,
    key: common ?? '',
    levels: { low, medium, high },
  }));
}
