import type { Policy } from '../assessment/policy.ts';
import { riskLevelUnder } from '../assessment/score.ts';
import { scoreByMedium } from '../assessment/score-by-medium.ts';
import { RISK_LEVELS } from './comparison.ts';
import { type KnownLevels, type LevelCounts, noLevels } from './judgement-counts.ts';
import { ALL_GROUPS, GROUPS, type ReplayTable } from './replay-table.ts';

/**
 * The numbers of signups by group and score, for each threshold of medium risk from 0 to 100. From these counts, the
 * levels under any two thresholds follow without reading a signup again.
 */
export interface ThresholdCounts {
  /** One row for each threshold: `BUCKETS` × `GROUPS` counts. */
  readonly rows: readonly Uint32Array[];
}

export const HIGHEST_SCORE = 100;
/** Scores 0 to 100, then the signups of routes with their own levels: those at low, medium and high risk. */
const BUCKETS = HIGHEST_SCORE + 1 + RISK_LEVELS.length;
export const ROW_LENGTH = BUCKETS * GROUPS;
/** About 5 ms of work between two ticks of the event loop. */
const PROFILES_A_TURN = 250;

export interface ThresholdDependencies {
  readonly policy: Policy;
  /** A route of the gate may have its own levels. */
  readonly ownLevels: ReadonlyMap<string, Policy['levels']>;
  /** Called between two turns; when it returns false, the work ends. */
  readonly isWanted: () => boolean;
}

/** @returns null when the work ended early. */
export async function countByThreshold(
  table: ReplayTable,
  { policy, ownLevels, isWanted }: ThresholdDependencies,
): Promise<ThresholdCounts | null> {
  const rows = Array.from({ length: HIGHEST_SCORE + 1 }, () => new Uint32Array(ROW_LENGTH));
  for (const [i, { examinations, lists, route }] of table.profiles.entries()) {
    if (i % PROFILES_A_TURN === PROFILES_A_TURN - 1) {
      await new Promise((resolve) => setImmediate(resolve));
      if (!isWanted()) return null;
    }
    const scoreAt = scoreByMedium(examinations, lists, policy);
    const own = route === null ? undefined : ownLevels.get(route);
    const filled = groupsOf(table.counts, i);
    for (const [medium, row] of rows.entries()) {
      const score = scoreAt(medium);
      const bucket = own
        ? HIGHEST_SCORE + 1 + RISK_LEVELS.indexOf(riskLevelUnder(score, own))
        : score.trustScore;
      for (const [group, count] of filled) {
        const at = bucket * GROUPS + group;
        row[at] = (row[at] ?? 0) + count;
      }
    }
  }
  return { rows };
}

/** The groups of a profile that have signups. Usually these are one or two of nine. */
function groupsOf(counts: Uint32Array, profile: number): readonly (readonly [number, number])[] {
  const start = profile * GROUPS;
  return Array.from(counts.subarray(start, start + GROUPS), (count, group) => [group, count] as const).filter(
    ([, count]) => count > 0,
  );
}

/** The levels of all signups of each group under two thresholds, in the order of the groups. */
export function levelsUnder({ rows }: ThresholdCounts, levels: Policy['levels']): readonly LevelCounts[] {
  const counts = Array.from({ length: GROUPS }, noLevels);
  const row = rows[levels.medium] ?? new Uint32Array(ROW_LENGTH);
  for (let at = 0; at < row.length; at++) {
    const group = counts[at % GROUPS];
    if (group) group[levelOfBucket(Math.floor(at / GROUPS), levels)] += row[at] ?? 0;
  }
  return counts;
}

function levelOfBucket(bucket: number, { low, medium }: Policy['levels']): keyof LevelCounts {
  if (bucket > HIGHEST_SCORE) return RISK_LEVELS[bucket - HIGHEST_SCORE - 1] ?? 'low';
  if (bucket >= low) return 'low';
  return bucket >= medium ? 'medium' : 'high';
}

/** The levels of the signups whose outcome is known. */
export function knownLevelsOf(counts: readonly LevelCounts[]): KnownLevels {
  const known = { fraud: noLevels(), legitimate: noLevels() };
  for (const { outcome, group } of ALL_GROUPS) {
    if (outcome === null) continue;
    for (const level of RISK_LEVELS) known[outcome][level] += counts[group]?.[level] ?? 0;
  }
  return known;
}
