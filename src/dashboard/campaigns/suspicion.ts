import type { Campaign } from '../../storage/decisions/search/campaign.ts';

/**
 * How much a group looks like an attack, 0 to 100. The findings of the judge raise this value. Mailboxes at
 * universities and governments, confirmed mailboxes and the label "legitimate" lower it. The size alone has little
 * effect.
 */
export function suspicionOf(campaign: Campaign): number {
  const { attempts, mailboxes, levels } = campaign;
  const share = (count: number) => count / Math.max(1, attempts);
  const against =
    0.55 * share(levels.medium + levels.high) +
    0.3 * share(campaign.bursts) +
    0.15 * Math.min(1, mailboxes / 100) +
    0.5 * share(campaign.fraud);
  const inFavour =
    0.7 * share(campaign.trusted) + 0.6 * share(campaign.verified) + share(campaign.legitimate);
  return Math.round(100 * Math.max(0, Math.min(1, against - inFavour)));
}
