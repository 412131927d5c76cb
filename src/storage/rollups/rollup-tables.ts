/** See `0005-rollups.ts`. */
export interface RollupTables {
  rollup_cursor: RollupCursorTable;
  rollup_decisions: RollupDecisionsTable;
  rollup_reasons: RollupReasonsTable;
  rollup_durations: RollupDurationsTable;
}

/** One row: decisions up to `position` are counted in the tables below. */
interface RollupCursorTable {
  id: number;
  position: number;
  /** Grows with every deletion of decisions. */
  generation: number;
}

/** Decisions by the hour. `scope` is an account's id, or `*` for all decisions; absent texts are empty. */
export interface RollupDecisionsTable {
  scope: string;
  /** Since the epoch. */
  hour: number;
  degraded: number;
  test: number;
  door: string;
  route: string;
  mode: string;
  risk_level: string;
  wanted_action: string;
  count: number;
}

/** Decisions with a reason code, by the hour and, with a `unit` of 24, by the day. */
export interface RollupReasonsTable {
  scope: string;
  unit: number;
  hour: number;
  route: string;
  risk_level: string;
  code: string;
  count: number;
}

/** Decisions by how long judging took: `class` is an index into the bounds of `telemetry/instruments.ts`. */
export interface RollupDurationsTable {
  scope: string;
  hour: number;
  class: number;
  route: string;
  count: number;
}
