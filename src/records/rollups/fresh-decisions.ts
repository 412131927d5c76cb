import { durationClass } from '../../telemetry/durations.ts';
import { readCodes } from '../decision-codes.ts';
import type { NewDecisionRow } from '../decision-row.ts';
import {
  type DecisionGroup,
  type DurationGroup,
  type Groups,
  HOUR_MS,
  type IdRange,
  type ReasonGroup,
} from './decision-groups.ts';

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

type Sums<Group> = Map<string, Group & { count: number }>;

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
  const decisions: Sums<DecisionGroup> = new Map();
  /** By all their codes together: `code` holds them as the column does. */
  const reasons: Sums<ReasonGroup> = new Map();
  const durations: Sums<DurationGroup> = new Map();
  let upTo = after;
  let isDropped = false;

  return {
    get upTo() {
      return upTo;
    },
    add(row: NewDecisionRow, elapsedMs: number): void {
      upTo += 1;
      if (isDropped) return;
      const { account_id, door, mode, risk_level, action, degraded, test, codes } = row;
      const route = row.route ?? null;
      const hour = Math.floor(row.processed_at / HOUR_MS);
      const origin = `${hour}\n${account_id}\n${route}\n`;
      addTo(decisions, `${origin}${risk_level}\n${door}\n${mode}\n${action}\n${degraded}\n${test}`, {
        hour,
        account_id,
        door,
        route,
        mode,
        risk_level,
        action,
        degraded,
        test,
        count: 1,
      });
      if (test === 0) {
        const place = durationClass(elapsedMs);
        addTo(reasons, `${origin}${risk_level}\n${codes}`, {
          hour,
          account_id,
          route,
          risk_level,
          code: codes,
          count: 1,
        });
        addTo(durations, `${origin}${place}`, { hour, account_id, route, class: place, count: 1 });
      }
      isDropped = decisions.size + reasons.size + durations.size > MAX_GROUPS;
    },
    counts(): FreshCounts | null {
      if (isDropped || upTo === after) return null;
      const groups = {
        decisions: [...decisions.values()],
        reasons: byCode(reasons.values()),
        durations: [...durations.values()],
      };
      return { range: { after, upTo }, groups };
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
