import type { Kysely } from 'kysely';
import type { StorageSchema } from '../../storage-schema.ts';
import type { Campaign } from './campaign.ts';
import { type CommonKind, findCommonCampaign } from './common-campaigns.ts';
import { attemptsWithin } from './find-campaigns.ts';

/** Less than 300 ms in the reader's thread. */
const MAX_EXAMINED = 150_000;

/** The attempts that an entry for the common part of a campaign would have matched. */
export interface CampaignReach {
  /** Null when there was no attempt. */
  readonly campaign: Campaign | null;
  /** Set when there were too many attempts to search the whole time. */
  readonly searchedBackTo: number | null;
}

export interface ReachQuery {
  readonly kind: CommonKind;
  readonly key: string;
  readonly from: number;
  readonly to: number;
}

export async function findReach(reader: Kysely<StorageSchema>, query: ReachQuery): Promise<CampaignReach> {
  const { kind, key } = query;
  const time = { ...query, accountId: null };
  const { attempts, searchedBackTo } = await attemptsWithin(reader, time, MAX_EXAMINED);
  const campaign = await findCommonCampaign(attempts, kind, key);
  return { campaign, searchedBackTo };
}
