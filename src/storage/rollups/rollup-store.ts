import type { RiskLevel } from '../../assessment/policy.ts';

/**
 * Decisions counted by the hour (UTC). A count belongs to the time of the decision: an erasure or a changed label
 * changes no count. Decisions of test keys are counted separately, and not by reason or duration.
 */
export interface RollupStore {
  /**
   * Counts a bounded number of pending decisions. Several processes may call it at once, and any of them may die during
   * the call: each decision is still counted exactly once.
   */
  aggregate(): Promise<AggregationProgress>;
  /** The approximate number of decisions that are not counted yet. */
  countPending(): Promise<number>;
  decisions(query: RollupQuery): Promise<readonly DecisionCount[]>;
  /**
   * The number of decisions with each reason code, by level. When the range is longer than a week, whole days are
   * counted.
   */
  reasons(query: RollupQuery): Promise<readonly ReasonCount[]>;
  /** The number of decisions by duration, in the classes of `telemetry/instruments.ts`. */
  durations(query: RollupQuery): Promise<readonly number[]>;
  /** The present outcomes of signups that had to be verified. */
  outcomes(query: RollupQuery): Promise<readonly OutcomeCount[]>;
  /** The number of refused signups that the staff let in. */
  refusedLetIn(query: RollupQuery): Promise<number>;
  /** Wrong decisions according to their labels, by reason code; of the newest 20,000 labelled ones. */
  mistakes(query: RollupQuery): Promise<readonly MistakeCount[]>;
  /** Stopped and passed decisions by their labels; of the newest 20,000 labelled ones. */
  labels(query: RollupQuery): Promise<LabelCounts>;
  /** Routes with decisions in the range. */
  routes(query: Pick<RollupQuery, 'from' | 'to'>): Promise<readonly string[]>;
  /** Accounts with decisions in the range, by name, at most 200. */
  accounts(
    query: Pick<RollupQuery, 'from' | 'to'>,
  ): Promise<readonly { readonly id: string; readonly name: string }[]>;
  /** Removes older counts, in bounded steps. Returns the number of rows. */
  deleteBefore(time: number): Promise<number>;
}

/** The part that depends on how an engine finds decisions that are not counted yet. */
export type RollupCounting = Pick<RollupStore, 'aggregate' | 'countPending'>;

export interface AggregationProgress {
  /** The number of decisions that this call counted. */
  readonly aggregated: number;
  /** Whether more decisions are pending. */
  readonly hasMore: boolean;
}

export interface RollupQuery {
  /** Null means all accounts and the gate. */
  readonly accountId: string | null;
  /** A route of the gate; null means all routes and the API. */
  readonly route: string | null;
  /** Both are whole hours; `to` is not included. */
  readonly from: number;
  readonly to: number;
  /** Counts by periods of so many hours, which start at 00:00 UTC. Left out: one period. */
  readonly periodHours?: number;
}

export interface DecisionCount {
  /** Start of the period; 0 without periods. */
  readonly period: number;
  readonly riskLevel: RiskLevel;
  /** The action that the route requires. Null at the API, whose caller decides. */
  readonly wantedAction: 'forward' | 'verify' | 'block' | null;
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

/** A decision at medium risk that must be verified belongs to neither group. */
export interface LabelCounts {
  /** At high risk or refused. */
  readonly stopped: LabelCount;
  /** Let through: forwarded by the gate, or low risk for the API. */
  readonly passed: LabelCount;
}

export interface LabelCount {
  readonly legitimate: number;
  readonly fraud: number;
}

export interface MistakeCount {
  readonly code: string;
  /** With any label. */
  readonly labelled: number;
  /** Labelled legitimate, and high risk or refused. */
  readonly wronglyStopped: number;
  /** Labelled fraud, and let through: forwarded by the gate, or low risk for the API. */
  readonly wronglyPassed: number;
}
