import type { CampaignDetails } from '../../storage/decisions/search/campaign-details.ts';
import type { DashboardDependencies } from '../dashboard-dependencies.ts';

export interface CampaignSources {
  /** The routes (`route web`) or names of accounts with the number of their attempts, the most frequent first. */
  readonly passedBy: readonly Counted[];
  /** The organisations that run the networks of the newest decisions. */
  readonly owners: readonly Counted[];
}

export interface Counted {
  readonly name: string;
  readonly count: number;
}

export async function sourcesOf(
  { passedBy, newest }: Pick<CampaignDetails, 'passedBy' | 'newest'>,
  { accounts }: Pick<DashboardDependencies['records'], 'accounts'>,
): Promise<CampaignSources> {
  return {
    passedBy: await Promise.all(
      passedBy.map(async ({ accountId, route, attempts }) => ({
        name:
          accountId === null
            ? `route ${route ?? 'none'}`
            : `account ${(await accounts.find(accountId))?.name ?? 'a deleted account'}`,
        count: attempts,
      })),
    ),
    owners: countBy(newest.flatMap(ownerOf)),
  };
}

function ownerOf({ examinations }: CampaignDetails['newest'][number]): readonly string[] {
  const organisation = examinations.ip_address?.fields?.organisation;
  return typeof organisation === 'string' ? [organisation] : [];
}

function countBy(names: readonly string[]): readonly Counted[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => ({ name, count })).sort((a, b) => b.count - a.count);
}
