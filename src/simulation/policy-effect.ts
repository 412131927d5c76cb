import { intervalOf } from '../assessment/share-interval.ts';
import type { Label } from '../storage/decisions/decision-record.ts';
import type { LevelMatrix } from './comparison.ts';
import { type KnownLevels, type LevelCounts, sumOf } from './judgement-counts.ts';

/** What a policy does to past signups of one known outcome. */
export interface Share {
  /** All of that outcome. */
  readonly known: number;
  /** At medium or high risk. */
  readonly affected: number;
  /** At medium risk. */
  readonly verified: number;
  /** At high risk. */
  readonly refused: number;
  /** The 95 % interval of the affected share, 0 to 1: wide with few cases. */
  readonly interval: { readonly low: number; readonly high: number };
}

/** The verdict on a policy: the frauds that it stops, and the legitimate people whom it hurts. */
export interface PolicyEffect {
  readonly fraud: Share;
  readonly legitimate: Share;
}

export function effectOf(known: KnownLevels): PolicyEffect {
  return sampledEffectOf(known, { fraud: 1, legitimate: 1 });
}

/**
 * For levels that a sample stands for: the interval is that of the cases which were seen.
 * @param shares How many of the known cases were seen, 0 to 1.
 */
export function sampledEffectOf(
  { fraud, legitimate }: KnownLevels,
  shares: Readonly<Record<Label, number>>,
): PolicyEffect {
  return { fraud: shareOf(fraud, shares.fraud), legitimate: shareOf(legitimate, shares.legitimate) };
}

/** The known outcomes at their levels before the change. */
export function levelsBefore(known: Readonly<Record<Label, LevelMatrix>>): KnownLevels {
  const before = ({ low, medium, high }: LevelMatrix) => ({
    low: sumOf(low),
    medium: sumOf(medium),
    high: sumOf(high),
  });
  return { fraud: before(known.fraud), legitimate: before(known.legitimate) };
}

function shareOf(levels: Readonly<LevelCounts>, seen: number): Share {
  const { medium, high } = levels;
  const known = sumOf(levels);
  const affected = medium + high;
  return {
    known,
    affected,
    verified: medium,
    refused: high,
    interval: intervalOf(affected * seen, known * seen),
  };
}
