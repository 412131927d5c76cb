import { intervalOf } from '../assessment/share-interval.ts';
import type { Label } from '../storage/decisions/decision-record.ts';
import type { LevelMatrix } from './comparison.ts';
import { type KnownLevels, type LevelCounts, sumOf } from './judgement-counts.ts';

/** The effect of a policy on past signups with one known outcome. */
export interface Share {
  /** The number of all signups with that outcome. */
  readonly known: number;
  /** The number at medium or high risk. */
  readonly affected: number;
  /** The number at medium risk. */
  readonly verified: number;
  /** The number at high risk. */
  readonly refused: number;
  /** The 95 % interval of the affected share, from 0 to 1. With few cases, it is wide. */
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
 * For levels that were estimated from a sample. The interval follows from the number of cases in the sample.
 * @param shares The share of the known cases that is in the sample, from 0 to 1.
 */
export function sampledEffectOf(
  { fraud, legitimate }: KnownLevels,
  shares: Readonly<Record<Label, number>>,
): PolicyEffect {
  return { fraud: shareOf(fraud, shares.fraud), legitimate: shareOf(legitimate, shares.legitimate) };
}

/** The counts of the known outcomes at their levels before the change. */
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
