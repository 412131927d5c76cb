import type { NewDecisionRow } from '../decisions/decision-row.ts';
import type { Groups, IdRange } from './decision-groups.ts';
import { createDecisionTally } from './decision-tally.ts';

/**
 * Decisions counted as this process writes them, so that nobody has to read them again for it: reading a thousand back
 * costs half of what writing them did. Holds counts alone, and is no more than a shortcut: what is not taken from here,
 * or was dropped, is counted from the table.
 */
export interface FreshDecisions {
  /** A decision that is committed, under the id it got. */
  add(id: number, row: NewDecisionRow, elapsedMs: number): void;
  /** What was added since it was taken last; null when that is nothing or was dropped. */
  take(): FreshCounts | null;
}

export interface FreshCounts {
  /** All ids in it are of decisions that are counted here. */
  readonly range: IdRange;
  readonly groups: Groups;
}

/** Decisions that differ in more ways than that are counted from the table, in parts. */
const MAX_GROUPS = 5_000;

export function createFreshDecisions(): FreshDecisions {
  let run = createRun(0);

  return {
    add(id, row, elapsedMs) {
      // Another process wrote in between: only what follows is known without a gap.
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

/** Decisions with ids that follow each other, from the one after `after` on. */
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
