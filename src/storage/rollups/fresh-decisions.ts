import { durationClass } from '../../telemetry/instruments.ts';
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
  /** The counts that were added since the last call; null when there are none, or when they were dropped. */
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
  /** The number of groups so far. */
  readonly size: number;
  add(row: CountedColumns, elapsedMs: number): void;
  groups(): Groups;
}

type Sums<Key, Group> = Map<Key, Group & { count: number }>;

/** The counts of one hour, account and route. Consecutive decisions nearly always share them. */
interface Origin extends Pick<DecisionGroup, 'hour' | 'account_id' | 'route'> {
  readonly decisions: Sums<string, DecisionGroup>;
  /** By level and the whole text of the column `codes`, which `code` holds here. */
  readonly reasons: Sums<string, ReasonGroup>;
  readonly durations: Sums<number, DurationGroup>;
}

export function createDecisionTally(): DecisionTally {
  const origins = new Map<string, Origin>();
  let latest: Origin | null = null;
  let size = 0;

  function originOf(hour: number, account_id: string | null, route: string | null): Origin {
    if (latest?.hour === hour && latest.account_id === account_id && latest.route === route) return latest;
    const key = `${hour}\n${account_id}\n${route}`;
    let origin = origins.get(key);
    if (!origin) {
      const sums = { decisions: new Map(), reasons: new Map(), durations: new Map() };
      origin = { hour, account_id, route, ...sums };
      origins.set(key, origin);
    }
    latest = origin;
    return origin;
  }

  return {
    get size() {
      return size;
    },
    add(row, elapsedMs) {
      const { account_id, door, mode, risk_level, wanted_action, degraded, test, codes } = row;
      const hour = Math.floor(row.processed_at / HOUR_MS);
      const route = row.route ?? null;
      const { decisions, reasons, durations } = originOf(hour, account_id, route);
      const outcome = `${risk_level}\n${door}\n${mode}\n${wanted_action}\n${degraded}\n${test}`;
      const decision = decisions.get(outcome);
      if (decision) decision.count += 1;
      else {
        const group = { hour, account_id, door, route, mode, risk_level, wanted_action, degraded, test };
        decisions.set(outcome, { ...group, count: 1 });
        size += 1;
      }
      if (test === 1) return;
      const because = `${risk_level}\n${codes}`;
      const reason = reasons.get(because);
      if (reason) reason.count += 1;
      else {
        reasons.set(because, { hour, account_id, route, risk_level, code: codes, count: 1 });
        size += 1;
      }
      const place = durationClass(elapsedMs);
      const duration = durations.get(place);
      if (duration) duration.count += 1;
      else {
        durations.set(place, { hour, account_id, route, class: place, count: 1 });
        size += 1;
      }
    },
    groups() {
      const all = [...origins.values()];
      return {
        decisions: all.flatMap(({ decisions }) => [...decisions.values()]),
        reasons: byCode(all.flatMap(({ reasons }) => [...reasons.values()])),
        durations: all.flatMap(({ durations }) => [...durations.values()]),
      };
    },
  };
}

/** A decision counts under each of its codes. */
function byCode(groups: Iterable<ReasonGroup>): readonly ReasonGroup[] {
  const sums: Sums<string, ReasonGroup> = new Map();
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
