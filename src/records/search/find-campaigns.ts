import type { Kysely } from 'kysely';
import type { RecordsSchema } from '../schema.ts';
import { findBackendCampaigns } from './backend-campaigns.ts';
import type { CampaignQuery, Campaigns } from './campaign.ts';
import { findCommonCampaigns } from './common-campaigns.ts';
import type { DecisionQuery } from './decision-filter.ts';

/** About 250 ms of counting in the reader's thread. */
const MAX_EXAMINED = 120_000;

export async function findCampaigns(reader: Kysely<RecordsSchema>, query: CampaignQuery): Promise<Campaigns> {
  const { attempts, searchedBackTo } = await attemptsWithin(reader, query);
  const campaigns =
    query.kind === 'backend'
      ? await findBackendCampaigns(attempts)
      : await findCommonCampaigns(attempts, query.kind);
  return { campaigns, searchedBackTo };
}

/** The attempts that are looked at: those asked for, as long as they are not too many. */
async function attemptsWithin(
  reader: Kysely<RecordsSchema>,
  { accountId, from, to }: CampaignQuery,
): Promise<{ readonly attempts: DecisionQuery; readonly searchedBackTo: number | null }> {
  const before = reader.selectFrom('decisions').where('processed_at', '<', to);
  const last = await before
    .where('processed_at', '>=', from)
    .select('processed_at')
    .orderBy('processed_at', 'desc')
    .orderBy('id', 'desc')
    .offset(MAX_EXAMINED - 1)
    .limit(1)
    .executeTakeFirst();
  // One lower bound and not two: SQLite would go by the first, which is the wider one.
  let attempts = before.where('processed_at', '>=', last?.processed_at ?? from).where('test', '=', 0);
  if (accountId !== null) attempts = attempts.where('account_id', '=', accountId);
  return { attempts, searchedBackTo: last?.processed_at ?? null };
}
