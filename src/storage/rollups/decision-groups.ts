export const HOUR_MS = 3_600_000;

/** Ids greater than `after`, up to and including `upTo`. */
export interface IdRange {
  readonly after: number;
  readonly upTo: number;
}

/** Decisions with the same values in all counted columns. */
export interface DecisionGroup {
  /** Since the epoch. */
  readonly hour: number;
  readonly account_id: string | null;
  readonly door: string;
  readonly route: string | null;
  readonly mode: string | null;
  readonly risk_level: string;
  readonly action: string | null;
  readonly degraded: number;
  readonly test: number;
  readonly count: number;
}

export interface ReasonGroup {
  readonly hour: number;
  readonly account_id: string | null;
  readonly route: string | null;
  readonly risk_level: string;
  readonly code: string;
  readonly count: number;
}

export interface DurationGroup {
  readonly hour: number;
  readonly account_id: string | null;
  readonly route: string | null;
  /** Index into the bounds; the next index after them for longer ones. */
  readonly class: number;
  readonly count: number;
}

/** Decisions to be counted, grouped. */
export interface Groups {
  readonly decisions: readonly DecisionGroup[];
  readonly reasons: readonly ReasonGroup[];
  readonly durations: readonly DurationGroup[];
}
