import type { DecisionCount, RollupQuery, RollupStore } from '../../storage/rollups/rollup-store.ts';

/** One figure of now and of the same time a week before. */
export interface Compared {
  readonly name: string;
  readonly now: number;
  readonly before: number;
}

/** The last 24 whole hours against the same hours a week before. */
export interface Comparison {
  /** The end of the newer span: the start of the current hour. The older span ends a week before. */
  readonly until: number;
  readonly figures: readonly Compared[];
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;

type IsCounted = (row: DecisionCount) => boolean;
const enforced =
  (wanted: DecisionCount['wantedAction']): IsCounted =>
  ({ mode, wantedAction }) =>
    mode === 'enforce' && wantedAction === wanted;

const FIGURES: readonly (readonly [name: string, isCounted: IsCounted])[] = [
  ['Signups', () => true],
  ['High risk', ({ riskLevel }) => riskLevel === 'high'],
  ['Medium risk', ({ riskLevel }) => riskLevel === 'medium'],
  ['Refused', enforced('block')],
  ['Sent to verification', enforced('verify')],
];

/** Null when the week before has no decision: then there is nothing to compare with. */
export async function compareWithLastWeek(
  rollups: RollupStore,
  { accountId, route }: Pick<RollupQuery, 'accountId' | 'route'>,
  now: number,
): Promise<Comparison | null> {
  // Only whole hours are compared: a part of an hour beside a whole hour would look like a fall.
  const until = Math.floor(now / HOUR_MS) * HOUR_MS;
  const countsUntil = async (to: number) => {
    const rows = await rollups.decisions({ accountId, route, from: to - DAY_MS, to });
    return rows.filter(({ test }) => !test);
  };
  const before = await countsUntil(until - WEEK_MS);
  if (before.length === 0) return null;
  const today = await countsUntil(until);
  const figures = FIGURES.map(([name, isCounted]) => ({
    name,
    now: sumOf(today, isCounted),
    before: sumOf(before, isCounted),
  }));
  return { until, figures: figures.filter((figure) => figure.now + figure.before > 0) };
}

function sumOf(rows: readonly DecisionCount[], isCounted: IsCounted): number {
  return rows.filter(isCounted).reduce((sum, { count }) => sum + count, 0);
}
