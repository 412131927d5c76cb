import type { UsualDomain } from '../../counters/cohorts/cohort.ts';
import type { Excess } from './attempt-counts.ts';
import type { LimitMultiplier } from './limit-multiplier.ts';

/**
 * Whether the usual share of a domain on this site replaces its limit. Anyone can buy a domain and send signups from it
 * day by day. So the domain must belong to a university or a government, or its mailboxes must have been verified here.
 */
export function isSpared(
  usual: UsualDomain | null,
  { isShared, verified }: LimitMultiplier,
  step: number | null,
): usual is UsualDomain {
  return usual !== null && (isShared || (step !== null && verified >= step));
}

/**
 * `512 mailboxes of one domain, as usual: 605 of the last 1024 signups, 60 % in the past`. It has only counts and
 * words.
 */
export function describeUsual({ usual, count, among }: UsualDomain, excess: Excess): string {
  const share = Number((100 * usual).toFixed(1));
  return `${excess.count} mailboxes of one domain, as usual: ${count} of the last ${among} signups, ${share} % in the past`;
}
