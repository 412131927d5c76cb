import type { NewDecisionRow } from '../decisions/decision-row.ts';
import type { Groups, IdRange } from './decision-groups.ts';
import { createDecisionTally } from './decision-tally.ts';

/**
 * Counts decisions in memory as this process writes them: reading a thousand back would cost half of what writing them
 * did. Holds counts only. What is dropped here is counted from the table.
 */
export interface FreshDecisions {
  /** A committed decision, with its id. */
  add(id: number, row: NewDecisionRow, elapsedMs: number): void;
  /** What was added since the last call; null when that is nothing, or was dropped. */
  take(): FreshCounts | null;
}

export interface FreshCounts {
  /** The decisions with these ids, all of them. */
  readonly range: IdRange;
  readonly groups: Groups;
}

/** With more groups than that, the decisions are counted from the table, in parts. */
const MAX_GROUPS = 5_000;

export function createFreshDecisions(): FreshDecisions {
  let run = createRun(0);

  return {
    add(id, row, elapsedMs) {
      // Another process wrote in between: a range without gaps begins anew.
      if (id !== run.upTo + 1) run = createRun(id - 1);
      run.add(row, elapsedMs);
    },
    take() {
      const taken = run;
      run = createRun(taken.upTo);
      return taken.counts();
    },
  };
}

/** Decisions with consecutive ids, from the one after `after`. */
function createRun(after: number) {
  const tally = createDecisionTally();
  let upTo = after;
  let isDropped = false;

  return {
    get upTo() {
      return upTo;
    },
    add(row: NewDecisionRow, elapsedMs: number): void {
      upTo += 1;
      if (isDropped) return;
      tally.add(row, elapsedMs);
      isDropped = tally.size > MAX_GROUPS;
    },
    counts(): FreshCounts | null {
      if (isDropped || upTo === after) return null;
      return { range: { after, upTo }, groups: tally.groups() };
    },
  };
}
