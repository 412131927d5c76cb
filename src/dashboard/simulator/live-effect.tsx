import type { Policy } from '../../assessment/policy.ts';
import { intervalOf } from '../../assessment/share-interval.ts';
import { RISK_LEVELS } from '../../simulation/comparison.ts';
import { type LevelCounts, noLevels, sumOf } from '../../simulation/judgement-counts.ts';
import { effectOf, sampledEffectOf } from '../../simulation/policy-effect.ts';
import { ALL_GROUPS, type ReplayTable } from '../../simulation/replay-table.ts';
import {
  knownLevelsOf,
  levelsUnder,
  ROW_LENGTH,
  type ThresholdCounts,
} from '../../simulation/threshold-counts.ts';
import type { Label } from '../../storage/decisions/decision-record.ts';
import { Time } from '../components/time.tsx';
import { EffectVerdict } from './effect-verdict.tsx';
import { LevelBar } from './level-bar.tsx';
import type { Estimate } from './live-tables.ts';
import { count } from './replay-tables.tsx';

export const LABEL_ADVICE =
  'Open decisions and mark them as fraud or legitimate. Verified signups count as legitimate. Signups that the owner of the mailbox reported count as fraud.';

/** While all decisions are being read. */
export interface Reading {
  readonly sampled: Estimate['sampled'];
  readonly read: number;
}

/** The verdict under the thresholds of the form, and the counts with which a script continues for other thresholds. */
export function LiveEffect(props: {
  readonly table: ReplayTable;
  readonly counts: ThresholdCounts;
  readonly levels: Policy['levels'];
  /** Null when these numbers cover all decisions. */
  readonly reading: Reading | null;
}) {
  const { table, counts, levels, reading } = props;
  const groups = levelsUnder(counts, levels);
  const all = noLevels();
  const before = groups.map((_, group) => recordedOf(groups, group));
  for (const group of groups) for (const level of RISK_LEVELS) all[level] += group[level];
  const known = knownLevelsOf(groups);
  const share = (outcome: Label) => (reading ? reading.sampled[outcome] / (sumOf(known[outcome]) || 1) : 1);
  const margin = reading ? marginOf(all, reading.sampled.others) : '';
  const shares = { fraud: share('fraud'), legitimate: share('legitimate') };
  return (
    <div
      data-counts={JSON.stringify(compact(counts))}
      data-low={levels.low}
      data-medium={levels.medium}
      data-share-fraud={shares.fraud}
      data-share-legitimate={shares.legitimate}
    >
      {reading && (
        <p class="estimate" data-reading>
          <strong>Estimate</strong> from {count(reading.sampled.all)} decisions; the exact numbers follow (
          {count(reading.read)} read).
        </p>
      )}
      <EffectVerdict
        effect={sampledEffectOf(known, shares)}
        before={effectOf(knownLevelsOf(before))}
        advice={LABEL_ADVICE}
      />
      <LevelBar levels={all} longest={table.decisions} name="Levels under these thresholds" />
      <p class="hint">
        {reading && 'About '}
        {count(table.decisions)} decisions{reading && `, each level within ${margin} percentage points`}
        {table.isLimited && table.from !== null && (
          <>
            , the newest, back to <Time at={table.from} exact="minute" />
          </>
        )}
        :{' '}
        {RISK_LEVELS.map((level, i) => (
          <>
            {i > 0 && ', '}
            <span data-figure={`all-${level}`}>{count(all[level])}</span> {level}
          </>
        ))}
        .
      </p>
    </div>
  );
}

/** Half of the widest 95 % interval of the levels, in percentage points. */
function marginOf(levels: LevelCounts, sampled: number): string {
  const whole = sumOf(levels) || 1;
  const widths = RISK_LEVELS.map((level) => {
    const { low, high } = intervalOf((levels[level] / whole) * sampled, sampled);
    return high - low;
  });
  return (50 * Math.max(...widths)).toFixed(1);
}

/** All signups of a group at their recorded level. */
function recordedOf(groups: readonly LevelCounts[], group: number): LevelCounts {
  const levels = noLevels();
  const recorded = ALL_GROUPS.find((one) => one.group === group)?.recorded ?? 'low';
  const { low, medium, high } = groups[group] ?? levels;
  levels[recorded] = low + medium + high;
  return levels;
}

/**
 * The first row in full, then only the changes of each following row, as pairs of place and difference. Neighbouring
 * rows differ in few places.
 */
function compact({ rows }: ThresholdCounts): readonly (readonly number[])[] {
  return rows.map((row, medium) => {
    const pairs: number[] = [];
    const last = rows[medium - 1];
    for (let at = 0; at < ROW_LENGTH; at++) {
      const difference = (row[at] ?? 0) - (last?.[at] ?? 0);
      if (difference !== 0) pairs.push(at, difference);
    }
    return pairs;
  });
}

export function StillReading({ read }: { readonly read: number }) {
  return (
    <p class="hint" data-reading>
      Reading past signups: {count(read)} so far.
    </p>
  );
}

export function NoEffect({ why }: { readonly why: string }) {
  return <p class="error">{why}</p>;
}
