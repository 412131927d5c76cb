import { type Kysely, sql } from 'kysely';
import type { StorageSchema } from '../../storage-schema.ts';
import type { Campaign, CampaignKind, CampaignQuery, Campaigns } from './campaign.ts';
import { findCommonCampaign, findCommonCampaigns, OWN_DOMAIN } from './common-campaigns.ts';
import { type DecisionFilter, type DecisionQuery, matches, TRAFFIC_OF } from './decision-filter.ts';
import { type EvidenceKind, findEvidenceCampaign, findEvidenceCampaigns } from './evidence-campaigns.ts';

/** About 150 ms of counting in the reader's thread. */
const MAX_EXAMINED = 60_000;

export async function findCampaigns(reader: Kysely<StorageSchema>, query: CampaignQuery): Promise<Campaigns> {
  const { attempts, searchedBackTo } = await attemptsWithin(reader, query);
  const { kind } = query;
  const campaigns = isEvidence(kind)
    ? await findEvidenceCampaigns(attempts, kind)
    : await findCommonCampaigns(attempts, kind);
  return { campaigns, searchedBackTo };
}

export async function findCampaign(
  reader: Kysely<StorageSchema>,
  query: CampaignQuery,
  key: string,
): Promise<Campaign | null> {
  const { attempts } = await attemptsWithin(reader, query);
  const { kind } = query;
  return isEvidence(kind)
    ? await findEvidenceCampaign(attempts, kind, key)
    : await findCommonCampaign(attempts, kind, key);
}

export function isEvidence(kind: CampaignKind): kind is EvidenceKind {
  return kind === 'backend' || kind === 'cohort';
}

const VALUES = {
  mailbox: sql<string | null>`mailbox`,
  network: sql<string | null>`network`,
  domain: OWN_DOMAIN,
};

/** Different values of the matching decisions, among the newest `MAX_EXAMINED`. */
export async function findValues(
  reader: Kysely<StorageSchema>,
  filter: DecisionFilter,
  { of, limit }: { readonly of: keyof typeof VALUES; readonly limit: number },
): Promise<readonly string[]> {
  const { accountId, from, to } = filter;
  const { attempts } = await attemptsWithin(reader, {
    accountId,
    from: from ?? 0,
    to: to ?? Number.MAX_SAFE_INTEGER,
  });
  const rows = await attempts
    .where((where) => matches(where, { ...filter, from: null, to: null }))
    .where(VALUES[of], 'is not', null)
    .groupBy(VALUES[of])
    .select(VALUES[of].as('value'))
    .limit(limit)
    .execute();
  return rows.flatMap(({ value }) => value ?? []);
}

/** The newest attempts of the query, up to the given number. */
export async function attemptsWithin(
  reader: Kysely<StorageSchema>,
  { accountId, from, to }: Omit<CampaignQuery, 'kind'>,
  maxExamined = MAX_EXAMINED,
): Promise<{ readonly attempts: DecisionQuery; readonly searchedBackTo: number | null }> {
  const before = reader.selectFrom('decisions').where('processed_at', '<', to);
  const last = await before
    .where('processed_at', '>=', from)
    .select('processed_at')
    .orderBy('processed_at', 'desc')
    .orderBy('id', 'desc')
    .offset(maxExamined - 1)
    .limit(1)
    .executeTakeFirst();
  // One lower bound, not two: SQLite would use the first for its search, which is the wider one.
  let attempts = before.where('processed_at', '>=', last?.processed_at ?? from).where('test', '=', 0);
  if (accountId !== null) attempts = attempts.where(TRAFFIC_OF, '=', accountId);
  return { attempts, searchedBackTo: last?.processed_at ?? null };
}
