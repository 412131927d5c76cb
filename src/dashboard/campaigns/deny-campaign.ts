import type { ListRequest } from '../../lists/list-requests.ts';
import type { Campaign } from '../../storage/decisions/search/campaign.ts';
import type { DecisionSearch } from '../../storage/decisions/search/decision-search.ts';
import { readDecisionQuery } from '../decisions/decision-query.ts';
import { decisionParamsOf, type OneCampaignQuery } from './campaign-query.ts';

/** The parts of a campaign's attempts that can be added to the deny list. */
export const DENIABLE = ['mailbox', 'domain', 'network'] as const;
export type Deniable = (typeof DENIABLE)[number];

/** The largest number of entries of one form. The lists have room for five times as many. */
export const MAX_DENIED = 20_000;
/** Entries per transaction, which blocks the event loop for some 50 ms. */
export const DENIED_AT_ONCE = 1_000;

/** @returns the values. One value more than may be denied shows that there are too many. */
export async function valuesOf(
  search: DecisionSearch,
  {
    campaign,
    query,
    of,
    limit,
  }: {
    readonly campaign: Campaign;
    readonly query: OneCampaignQuery;
    readonly of: Deniable;
    readonly limit: number;
  },
): Promise<readonly string[]> {
  const params = decisionParamsOf(campaign, query);
  const { filter } = readDecisionQuery(params, { accountId: null, now: query.to });
  return await search.values(filter, { of, limit });
}

export function toDenyRequests(
  values: readonly string[],
  {
    of,
    note,
    expiresAt,
  }: { readonly of: Deniable; readonly note: string; readonly expiresAt: number | null },
): readonly ListRequest[] {
  return values.map((value) => ({
    list: 'deny',
    subject: of === 'mailbox' ? { mailboxPseudonym: value } : { text: value },
    note,
    expiresAt,
  }));
}
