import type { AttackStore } from '../attacks/attack-store.ts';
import type { DecisionCount, RollupStore } from '../rollups/rollup-store.ts';
import type { Condition, IncidentKind } from './incident.ts';
import { type Cases, isJump, sumOf } from './share-jump.ts';

const HOUR_MS = 3_600_000;
const WEEK_HOURS = 168;

interface Trait {
  readonly kind: IncidentKind;
  /** Whether a decision can have the trait at all. */
  readonly isCounted: (row: DecisionCount) => boolean;
  readonly has: (row: DecisionCount) => boolean;
  readonly least: number;
  readonly floor: number;
  /** Attacks have their own message, so their signups do not count here. */
  readonly isOfAttacks: boolean;
}

const TRAITS: readonly Trait[] = [
  {
    kind: 'refusals_jump',
    // Monitor mode refuses no signup. At the API, the caller decides, usually by the level.
    isCounted: ({ mode, wantedAction }) => mode === 'enforce' || wantedAction === null,
    has: ({ wantedAction, riskLevel }) =>
      wantedAction === null ? riskLevel === 'high' : wantedAction === 'block',
    least: 30,
    floor: 0.02,
    isOfAttacks: true,
  },
  {
    kind: 'degraded_jump',
    isCounted: () => true,
    has: ({ degraded }) => degraded,
    least: 20,
    floor: 0.02,
    isOfAttacks: false,
  },
];

/**
 * Jumps of refusals and of degraded decisions: of this hour, or of this hour and the hour before, compared with the
 * week before them. It reads the counts by the hour, so its cost does not depend on the number of decisions.
 */
export async function findJumps({
  rollups,
  attacks,
  now,
}: {
  readonly rollups: Pick<RollupStore, 'decisions'>;
  readonly attacks: Pick<AttackStore, 'within'>;
  readonly now: number;
}): Promise<readonly Condition[]> {
  const hour = Math.floor(now / HOUR_MS) * HOUR_MS;
  const [from, to] = [hour - (WEEK_HOURS + 1) * HOUR_MS, hour + HOUR_MS];
  const rows = await rollups.decisions({ accountId: null, route: null, from, to, periodHours: 1 });
  const counted = rows.filter(({ test }) => !test);
  const events = await attacks.within({ from: hour - HOUR_MS, to });
  const attacked = {
    part: events.reduce((sum, { stopped }) => sum + stopped, 0),
    whole: events.reduce((sum, { attempts }) => sum + attempts, 0),
  };
  return TRAITS.flatMap(({ kind, isCounted, has, least, floor, isOfAttacks }) => {
    const hours = byHour(counted.filter(isCounted), has);
    const casesOf = (at: number) => hours.get(at) ?? { part: 0, whole: 0 };
    const before = [...hours].filter(([at]) => at < hour - HOUR_MS).map(([, cases]) => cases);
    for (const since of [hour, hour - HOUR_MS]) {
      const all = sumOf([casesOf(hour), ...(since < hour ? [casesOf(since)] : [])]);
      const cases = isOfAttacks ? without(all, attacked) : all;
      if (!isJump(cases, before, { least, floor })) continue;
      const usual = sumOf(before);
      return [{ kind, key: '', facts: { ...cases, since, usual: usual.part / usual.whole } }];
    }
    return [];
  });
}

function byHour(
  rows: readonly DecisionCount[],
  has: (row: DecisionCount) => boolean,
): ReadonlyMap<number, Cases> {
  const hours = new Map<number, Cases>();
  for (const row of rows) {
    const known = hours.get(row.period) ?? { part: 0, whole: 0 };
    hours.set(row.period, {
      part: known.part + (has(row) ? row.count : 0),
      whole: known.whole + row.count,
    });
  }
  return hours;
}

/** It is better to subtract too many signups than to report one event twice. */
function without(all: Cases, attacked: Cases): Cases {
  const part = Math.max(0, all.part - attacked.part);
  return { part, whole: Math.max(part, all.whole - attacked.whole) };
}
