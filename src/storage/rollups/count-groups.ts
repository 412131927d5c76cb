import type { Insertable } from 'kysely';
import type { DecisionGroup, DurationGroup, Groups, ReasonGroup } from './decision-groups.ts';
import type { RollupDecisionsTable, RollupDurationsTable, RollupReasonsTable } from './rollup-tables.ts';

/** The rows to add to the counts. */
export interface CountRows {
  readonly decisions: readonly Insertable<RollupDecisionsTable>[];
  readonly reasons: readonly Insertable<RollupReasonsTable>[];
  readonly durations: readonly Insertable<RollupDurationsTable>[];
}

/** The scope of all decisions, with those of the gate. Each account has its own scope too. */
export const ALL_ACCOUNTS = '*';
/** There are many reason codes: for ranges longer than a week they are counted by the day as well. */
export const DAY_HOURS = 24;

/** The rows that these groups add, each key once. */
export function countGroups({ decisions, reasons, durations }: Groups): CountRows {
  return {
    decisions: summed(decisions.flatMap(decisionRows)),
    reasons: summed(reasons.flatMap(reasonRows)),
    durations: summed(durations.flatMap(durationRows)),
  };
}

function decisionRows(group: DecisionGroup): Insertable<RollupDecisionsTable>[] {
  const { hour, door, route, mode, risk_level, wanted_action, degraded, test, count } = group;
  return scopesOf(group).map((scope) => ({
    scope,
    hour,
    degraded,
    test,
    door,
    risk_level,
    count,
    route: route ?? '',
    mode: mode ?? '',
    wanted_action: wanted_action ?? '',
  }));
}

function reasonRows(group: ReasonGroup): Insertable<RollupReasonsTable>[] {
  const { hour, risk_level, code, count } = group;
  const route = group.route ?? '';
  return scopesOf(group).flatMap((scope) => [
    { scope, unit: 1, hour, route, risk_level, code, count },
    { scope, unit: DAY_HOURS, hour: hour - (hour % DAY_HOURS), route, risk_level, code, count },
  ]);
}

function durationRows(group: DurationGroup): Insertable<RollupDurationsTable>[] {
  const { hour, count } = group;
  return scopesOf(group).map((scope) => {
    return { scope, hour, class: group.class, route: group.route ?? '', count };
  });
}

function scopesOf({ account_id }: { readonly account_id: string | null }): readonly string[] {
  return account_id === null ? [ALL_ACCOUNTS] : [ALL_ACCOUNTS, account_id];
}

/** Merges rows that differ only in their count. */
function summed<Row extends { readonly count: number }>(rows: readonly Row[]): Row[] {
  const sums = new Map<string, Row>();
  for (const row of rows) {
    let key = '';
    for (const column in row) if (column !== 'count') key += `${row[column]}\u0000`;
    const present = sums.get(key);
    sums.set(key, present ? { ...present, count: present.count + row.count } : row);
  }
  return [...sums.values()];
}
