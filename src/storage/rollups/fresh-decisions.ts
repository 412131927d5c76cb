import { durationClass } from '../../telemetry/durations.ts';
import { type CountedColumns, readCodes } from '../decisions/decision-row.ts';
import {
  type DecisionGroup,
  type DurationGroup,
  type Groups,
  HOUR_MS,
  type IdRange,
  type ReasonGroup,
} from './decision-groups.ts';

/**
 * Counts decisions in memory when this process writes them: reading a thousand again would cost half of writing them.
 * Holds only counts. Dropped decisions are counted from the table.
 */
export interface FreshDecisions {
  /** A committed decision, with its id. */
  add(id: number, row: CountedColumns, elapsedMs: number): void;
  /** What was added since the last call; null when that is nothing, or was dropped. */
  drain(): FreshCounts | null;
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
      // Another process wrote in between: a new range without gaps begins.
      if (id !== run.upTo + 1) run = createRun(id - 1);
      run.add(row, elapsedMs);
    },
    drain() {
      const drained = run;
      run = createRun(drained.upTo);
      return drained.counts();
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
    add(row: CountedColumns, elapsedMs: number): void {
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

/** Groups decisions in memory. */
export interface DecisionTally {
  /** How many groups there are so far. */
  readonly size: number;
  add(row: CountedColumns, elapsedMs: number): void;
  groups(): Groups;
}

type Sums<Group> = Map<string, Group & { count: number }>;

export function createDecisionTally(): DecisionTally {
  const decisions: Sums<DecisionGroup> = new Map();
  /** By the whole text of the column `codes`, which `code` holds here. */
  const reasons: Sums<ReasonGroup> = new Map();
  const durations: Sums<DurationGroup> = new Map();

  return {
    get size() {
      return decisions.size + reasons.size + durations.size;
    },
    add(row, elapsedMs) {
      const { account_id, door, mode, risk_level, wanted_action, degraded, test, codes } = row;
      const route = row.route ?? null;
      const hour = Math.floor(row.processed_at / HOUR_MS);
      const origin = `${hour}\n${account_id}\n${route}\n`;
      addTo(decisions, `${origin}${risk_level}\n${door}\n${mode}\n${wanted_action}\n${degraded}\n${test}`, {
        // Not a spread, which would cost as much as the rest of this function.
        hour,
        account_id,
        door,
        route,
        mode,
        risk_level,
        wanted_action,
        degraded,
        test,
        count: 1,
      });
      if (test === 1) return;
      const place = durationClass(elapsedMs);
      const reason = { hour, account_id, route, risk_level, code: codes, count: 1 };
      addTo(reasons, `${origin}${risk_level}\n${codes}`, reason);
      addTo(durations, `${origin}${place}`, { hour, account_id, route, class: place, count: 1 });
    },
    groups() {
      return {
        decisions: [...decisions.values()],
        reasons: byCode(reasons.values()),
        durations: [...durations.values()],
      };
    },
  };
}

/** A decision counts under each of its codes. */
function byCode(groups: Iterable<ReasonGroup>): readonly ReasonGroup[] {
  const sums: Sums<ReasonGroup> = new Map();
  for (const group of groups) {
    const { hour, account_id, route, risk_level } = group;
    for (const code of readCodes(group.code)) {
      addTo(sums, `${hour}\n${account_id}\n${route}\n${risk_level}\n${code}`, { ...group, code });
    }
  }
  return [...sums.values()];
}

function addTo<Group extends { count: number }>(sums: Map<string, Group>, key: string, group: Group): void {
  const present = sums.get(key);
  if (present) present.count += group.count;
  else sums.set(key, group);
}
