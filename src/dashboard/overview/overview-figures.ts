import type { RiskLevel } from '../../assessment/policy.ts';
import { isReasonCode, REASONS } from '../../assessment/reasons.ts';
import type {
  DecisionCount,
  LabelCounts,
  MistakeCount,
  OutcomeCount,
  ReasonCount,
  RollupStore,
} from '../../storage/rollups/rollup-store.ts';
import { durationPercentile } from '../../telemetry/instruments.ts';
import type { OverviewQuery } from './overview-query.ts';

export type HeldOutcome = 'verified' | 'locked' | 'expired' | 'reported' | 'corrected' | 'let_in' | 'refused';
type ByAction = Readonly<Record<'forward' | 'verify' | 'block', number>>;

export interface Period {
  readonly at: number;
  readonly levels: Readonly<Record<RiskLevel, number>>;
  /** Actions of the gate on routes in enforce mode. */
  readonly actions: ByAction;
  /** Wanted actions of the gate on routes in monitor mode. */
  readonly monitored: number;
  readonly degraded: number;
}

/** The figures that the page shows. Only `tests` counts answers to test keys. */
export interface OverviewFigures {
  /** Every period of the range, empty periods too, oldest first. */
  readonly periods: readonly Period[];
  readonly judged: number;
  readonly levels: Readonly<Record<RiskLevel, number>>;
  readonly tests: number;
  readonly actions: ByAction;
  /** The actions that the gate would have taken on routes in monitor mode, if they had been in enforce mode. */
  readonly monitored: ByAction;
  /** Outcomes of signups that were sent to verification, and of refused signups that the staff let in. */
  readonly outcomes: Readonly<Record<HeldOutcome, number>>;
  /** The part of `outcomes.let_in` that was refused at first. */
  readonly refusedLetIn: number;
  /** Counts of findings, most frequent first. */
  readonly findings: readonly ReasonFigure[];
  readonly classifications: readonly ReasonFigure[];
  readonly mistakes: readonly MistakeCount[];
  readonly labels: LabelCounts;
  readonly medianMs: number | null;
  readonly p99Ms: number | null;
  readonly degraded: number;
  /** Decisions of any time that are not yet in these figures. */
  readonly uncounted: number;
  /** The number of periods with at least one decision. */
  readonly degradedPeriods: number;
}

export interface ReasonFigure {
  readonly code: string;
  readonly count: number;
  readonly high: number;
}

const HOUR_MS = 3_600_000;
const TOP_REASONS = 15;
const TOP_MISTAKES = 15;

export async function readOverview(rollups: RollupStore, query: OverviewQuery): Promise<OverviewFigures> {
  const { counts, periodHours } = query;
  // The queries run one after the other: all pages share one reader, so other pages can read between two queries.
  const decisions = await rollups.decisions({ ...counts, periodHours });
  const reasons = await rollups.reasons(counts);
  const durations = await rollups.durations(counts);
  const outcomes = await rollups.outcomes(counts);
  const refusedLetIn = await rollups.refusedLetIn(counts);
  const mistakes = await rollups.mistakes(counts);
  const labels = await rollups.labels(counts);
  const periods = periodsOf(decisions, query);
  const counted = decisions.filter(({ test }) => !test);
  return {
    periods,
    judged: sum(counted),
    levels: levelsOf(counted),
    tests: sum(decisions.filter(({ test }) => test)),
    actions: actionsOf(counted.filter(({ mode }) => mode === 'enforce')),
    monitored: actionsOf(counted.filter(({ mode }) => mode === 'monitor')),
    outcomes: outcomesOf(outcomes),
    refusedLetIn,
    ...reasonFigures(reasons),
    mistakes: topMistakes(mistakes),
    labels,
    medianMs: durationPercentile(durations, 0.5),
    p99Ms: durationPercentile(durations, 0.99),
    uncounted: await rollups.countPending(),
    degraded: sum(counted.filter(({ degraded }) => degraded)),
    degradedPeriods: periods.filter(({ degraded }) => degraded > 0).length,
  };
}

function periodsOf(
  decisions: readonly DecisionCount[],
  { counts: { from, to }, periodHours }: OverviewQuery,
): readonly Period[] {
  const byPeriod = new Map<number, DecisionCount[]>();
  for (const row of decisions) {
    if (row.test) continue;
    const rows = byPeriod.get(row.period);
    if (rows) rows.push(row);
    else byPeriod.set(row.period, [row]);
  }
  const periods: Period[] = [];
  for (let at = from; at < to; at += periodHours * HOUR_MS) {
    const rows = byPeriod.get(at) ?? [];
    periods.push({
      at,
      levels: levelsOf(rows),
      actions: actionsOf(rows.filter(({ mode }) => mode === 'enforce')),
      monitored: sum(rows.filter(({ mode }) => mode === 'monitor')),
      degraded: sum(rows.filter(({ degraded }) => degraded)),
    });
  }
  return periods;
}

function levelsOf(rows: readonly DecisionCount[]): OverviewFigures['levels'] {
  const of = (level: RiskLevel) => sum(rows.filter(({ riskLevel }) => riskLevel === level));
  return { low: of('low'), medium: of('medium'), high: of('high') };
}

function actionsOf(rows: readonly DecisionCount[]): ByAction {
  const of = (wanted: keyof ByAction) => sum(rows.filter(({ wantedAction }) => wantedAction === wanted));
  return { forward: of('forward'), verify: of('verify'), block: of('block') };
}

function outcomesOf(rows: readonly OutcomeCount[]): OverviewFigures['outcomes'] {
  const of = (wanted: string) => sum(rows.filter(({ outcome }) => outcome === wanted));
  return {
    verified: of('verified'),
    locked: of('locked'),
    expired: of('expired'),
    reported: of('reported'),
    corrected: of('corrected'),
    let_in: of('let_in'),
    refused: of('refused'),
  };
}

function reasonFigures(rows: readonly ReasonCount[]): Pick<OverviewFigures, 'findings' | 'classifications'> {
  const byCode = new Map<string, ReasonFigure>();
  for (const { code, riskLevel, count } of rows) {
    const present = byCode.get(code) ?? { code, count: 0, high: 0 };
    const high = present.high + (riskLevel === 'high' ? count : 0);
    byCode.set(code, { code, count: present.count + count, high });
  }
  const sorted = [...byCode.values()].sort((a, b) => b.count - a.count || byName(a.code, b.code));
  const isClassification = ({ code }: ReasonFigure) =>
    isReasonCode(code) && REASONS[code].kind === 'classification';
  return {
    findings: sorted.filter((figure) => !isClassification(figure)).slice(0, TOP_REASONS),
    classifications: sorted.filter(isClassification),
  };
}

function topMistakes(rows: readonly MistakeCount[]): readonly MistakeCount[] {
  const wrong = ({ wronglyStopped, wronglyPassed }: MistakeCount) => wronglyStopped + wronglyPassed;
  return rows
    .filter((row) => wrong(row) > 0)
    .sort((a, b) => wrong(b) - wrong(a) || byName(a.code, b.code))
    .slice(0, TOP_MISTAKES);
}

/** Sorts equally frequent reasons by name, since engines return them in any order. */
function byName(one: string, other: string): number {
  return one < other ? -1 : 1;
}

function sum(rows: readonly { readonly count: number }[]): number {
  return rows.reduce((total, { count }) => total + count, 0);
}
