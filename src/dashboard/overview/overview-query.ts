import type { RollupQuery } from '../../storage/rollups/rollup-store.ts';

export interface OverviewRange {
  readonly label: string;
  readonly hours: number;
  /** The hours that one bar of a chart covers. */
  readonly periodHours: number;
}

/** The ranges, by their value in the URL. */
export const RANGES: Readonly<Record<string, OverviewRange>> = {
  '24h': { label: '24 hours', hours: 24, periodHours: 1 },
  '7d': { label: '7 days', hours: 7 * 24, periodHours: 6 },
  '30d': { label: '30 days', hours: 30 * 24, periodHours: 24 },
  '90d': { label: '90 days', hours: 90 * 24, periodHours: 24 },
};
const DEFAULT_RANGE = '24h';

const HOUR_MS = 3_600_000;
const MAX_TEXT = 300;

export interface OverviewQuery {
  /** A key of `RANGES`. */
  readonly range: string;
  readonly periodHours: number;
  readonly counts: RollupQuery;
}

/**
 * Reads the URL of the page. An unknown range becomes the default range.
 *
 * @param viewerScope The account whose decisions the viewer may see; null: all accounts, filtered as the URL says.
 */
export function readOverviewQuery(
  params: URLSearchParams,
  { viewerScope, now }: { readonly viewerScope: string | null; readonly now: number },
): OverviewQuery {
  const named = params.get('range') ?? '';
  const range = Object.hasOwn(RANGES, named) ? named : DEFAULT_RANGE;
  const { hours, periodHours } = RANGES[range] ?? { hours: 24, periodHours: 1 };
  const periodMs = periodHours * HOUR_MS;
  const to = (Math.floor(now / periodMs) + 1) * periodMs;
  const text = (name: string) => params.get(name)?.slice(0, MAX_TEXT) || null;
  return {
    range,
    periodHours,
    counts: {
      accountId: viewerScope ?? text('account'),
      route: text('route'),
      from: to - hours * HOUR_MS,
      to,
    },
  };
}
