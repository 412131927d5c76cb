import type { RiskLevel } from '../../assessment/policy.ts';

/**
 * Decisions counted by the hour (UTC). Counted is what was decided: erasing a person or changing a label later changes
 * no count. Test keys are counted apart, and in the counts of decisions alone. Times are milliseconds since the epoch.
 */
export interface RollupStore {
  /**
   * Counts decisions that are not counted yet, a bounded number of them. Several processes may call it at once, and
   * any may die in it: nothing is counted twice or left out.
   */
  aggregate(): Promise<AggregationProgress>;
  /** About how many decisions are not counted yet. */
  uncounted(): Promise<number>;
  decisions(query: RollupQuery): Promise<readonly DecisionCount[]>;
  /** How many decisions had each reason code, by level. Whole days where the range is long: see `reasonUnitOf`. */
  reasons(query: RollupQuery): Promise<readonly ReasonCount[]>;
  /** How many decisions took how long, by the classes of `telemetry/durations.ts`. */
  durations(query: RollupQuery): Promise<readonly number[]>;
  /** What became of signups that were to be verified, as it is known by now. */
  outcomes(query: RollupQuery): Promise<readonly OutcomeCount[]>;
  /** Decisions that people have marked since, by reason code; of the newest 20,000 marked ones. */
  mistakes(query: RollupQuery): Promise<readonly MistakeCount[]>;
  /** Routes that were seen at all in the range. */
  routes(query: Pick<RollupQuery, 'from' | 'to'>): Promise<readonly string[]>;
  /** Accounts that asked in the range, by name, at most 200 of them. */
  accounts(
    query: Pick<RollupQuery, 'from' | 'to'>,
  ): Promise<readonly { readonly id: string; readonly name: string }[]>;
  /** Removes what is older, in bounded steps. Returns how many rows. */
  deleteBefore(time: number): Promise<number>;
}

export interface AggregationProgress {
  /** How many decisions were counted now. */
  readonly aggregated: number;
  /** Whether more wait to be counted. */
  readonly hasMore: boolean;
}

export interface RollupQuery {
  /** Null: of everybody, and of the gate. */
  readonly accountId: string | null;
  /** A route of the gate; null: all of them, and the API. */
  readonly route: string | null;
  /** Both are whole hours; `to` is left out. */
  readonly from: number;
  readonly to: number;
  /** Results are kept apart by periods of so many hours, which start at 00:00 UTC. Left out: one period. */
  readonly periodHours?: number;
}

export interface DecisionCount {
  /** Start of the period; 0 without periods. */
  readonly period: number;
  readonly riskLevel: RiskLevel;
  /** What the route asked for. Null: the API, whose caller decides. */
  readonly action: 'forward' | 'verify' | 'block' | null;
  readonly mode: 'enforce' | 'monitor' | null;
  readonly degraded: boolean;
  readonly test: boolean;
  readonly count: number;
}

export interface ReasonCount {
  readonly code: string;
  readonly riskLevel: RiskLevel;
  readonly count: number;
}

export interface OutcomeCount {
  readonly outcome: string;
  readonly count: number;
}

export interface MistakeCount {
  readonly code: string;
  /** Marked in any way. */
  readonly labelled: number;
  /** Marked legitimate, and high risk or blocked. */
  readonly wronglyStopped: number;
  /** Marked fraud, and let through: forwarded by the gate, or low risk for the API. */
  readonly wronglyPassed: number;
}
