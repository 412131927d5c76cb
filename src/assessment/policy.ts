import type { Factor, FindingCode, ReasonCode } from './reasons.ts';

export type RiskLevel = 'low' | 'medium' | 'high';

export type CapName = 'one_high_factor' | 'two_high_factors' | 'decisive';

/**
 * The rules that turn findings into a score and a level. They are plain data, so that the simulator can compare two
 * policies.
 */
export interface Policy {
  readonly weights: Readonly<Record<Factor, number>>;
  /** The lowest score of each level. */
  readonly levels: { readonly low: number; readonly medium: number };
  readonly caps: Readonly<Record<CapName, number>>;
  readonly decisive: ReadonlySet<ReasonCode>;
  /** Points that replace the default points. */
  readonly points: Readonly<Partial<Record<FindingCode, number>>>;
}

/** The revision of weights, levels, caps and points, without the lists. */
export function configuredRevisionOf(revision: string): string {
  return revision.split('.', 1)[0] ?? revision;
}
