import type { OverviewQuery } from './overview-query.ts';

/**
 * The link to the decisions of a part of the overview: those of its account and route, in its time or in a part of its
 * time.
 */
export function decisionsOf(
  { counts }: Pick<OverviewQuery, 'counts'>,
  { from = counts.from, to = counts.to, ...conditions }: DecisionPart,
): string {
  const params = new URLSearchParams({ ...conditions, from: minuteOf(from), to: minuteOf(to) });
  if (counts.accountId !== null) params.set('account', counts.accountId);
  if (counts.route !== null) params.set('route', counts.route);
  return `/decisions?${params}`;
}

interface DecisionPart {
  readonly from?: number;
  readonly to?: number;
  readonly code?: string;
}

/** Writes a time like a form: `2026-11-21T10:00`, UTC. */
function minuteOf(time: number): string {
  return new Date(time).toISOString().slice(0, 16);
}
