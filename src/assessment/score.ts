import type { EvidenceFields } from './evidence-fields.ts';
import type { CapName, Policy, RiskLevel } from './policy.ts';
import type { Examination, Finding } from './processor.ts';
import { FACTORS, type Factor, notEvaluatedCode, REASONS, type ReasonCode } from './reasons.ts';

/** The result of a list for an attempt. It overrides all findings. */
export interface ListVerdict {
  readonly verdict: 'allowed' | 'denied';
  readonly code: ReasonCode;
  readonly evidence: string;
  /** The facts for programs, as in a finding. */
  readonly fields?: EvidenceFields;
}

export type Examinations = Readonly<Record<Factor, Examination | null>>;

export interface ScoredFactor {
  readonly factor: Factor;
  readonly state: 'evaluated' | 'not_evaluated' | 'listed';
  /** 0 to 100. A factor that was not evaluated shows 50 and has weight 0. */
  readonly score: number;
  /** The share of the factor in the mean, 0 to 1. The shares of the evaluated factors add up to 1. */
  readonly weight: number;
  readonly riskLevel: RiskLevel;
  /** The code that decided the score of the factor, and its evidence. */
  readonly reason: { readonly code: ReasonCode; readonly evidence: string | null };
}

export interface AppliedCap {
  readonly cap: CapName;
  readonly limit: number;
  /** The factors or codes that triggered the cap. */
  readonly because: readonly string[];
}

export interface Score {
  readonly trustScore: number;
  /** The trust score without the findings that other people can cause. */
  readonly ownScore: number;
  readonly riskLevel: RiskLevel;
  readonly factors: readonly ScoredFactor[];
  /** The weighted mean before caps and lists, unrounded; null when no factor was evaluated. */
  readonly mean: number | null;
  readonly caps: readonly AppliedCap[];
}

/** The score that is shown when a factor, or no factor at all, was evaluated: neither good nor bad. */
const UNKNOWN_SCORE = 50;

/**
 * Combines the results of the four processors into one score. Pure.
 *
 * A finding that other people can cause (`Finding.shared`) can lower the score as far as medium risk. It never changes
 * medium risk to high risk, because a second sum without such findings limits its effect.
 */
export function scoreFactors(
  examinations: Examinations,
  lists: readonly ListVerdict[],
  policy: Policy,
): Score {
  const ownExaminations = withoutShared(examinations, policy);
  const own = sumUp(ownExaminations, policy);
  const all = ownExaminations === examinations ? own : sumUp(examinations, policy, own.factors);
  const verdict = lists.find((l) => l.verdict === 'denied') ?? lists[0];
  const ownScore = verdict ? listScore(verdict) : own.held;
  const trustScore = verdict ? ownScore : neverRefusedForShared(all.held, ownScore, policy.levels);
  return {
    trustScore,
    ownScore,
    riskLevel: riskLevelOf(trustScore, policy.levels),
    factors: verdict ? all.factors.map((factor) => withListVerdict(factor, lists, policy)) : all.factors,
    mean: all.mean,
    caps: all.caps,
  };
}

/** The level by other thresholds than those of the policy, such as the thresholds of a route. */
export function riskLevelUnder(
  { trustScore, ownScore }: Pick<Score, 'trustScore' | 'ownScore'>,
  levels: Policy['levels'],
): RiskLevel {
  return riskLevelOf(neverRefusedForShared(trustScore, ownScore, levels), levels);
}

export function neverRefusedForShared(score: number, ownScore: number, { medium }: Policy['levels']): number {
  return Math.min(ownScore, Math.max(score, medium));
}

/** The score before lists, and its parts. */
export interface Sum extends Pick<Score, 'factors' | 'mean' | 'caps'> {
  readonly held: number;
}

/** @param ownFactors The factors without shared findings; left out when there are no shared findings. */
export function sumUp(examinations: Examinations, policy: Policy, ownFactors?: readonly ScoredFactor[]): Sum {
  const evaluatedWeight = FACTORS.reduce((sum, f) => sum + (examinations[f] ? policy.weights[f] : 0), 0);
  const factors = FACTORS.map((factor) =>
    scoreFactor(factor, examinations[factor], {
      share: share(policy.weights[factor], evaluatedWeight),
      policy,
    }),
  );
  const mean = evaluatedWeight > 0 ? factors.reduce((sum, f) => sum + f.score * f.weight, 0) : null;
  const caps = applicableCaps({ factors, ownFactors: ownFactors ?? factors }, examinations, policy);
  const uncapped = roundHalfUp(mean ?? UNKNOWN_SCORE);
  return { factors, mean, caps, held: caps.reduce((score, { limit }) => Math.min(score, limit), uncapped) };
}

/** The examinations without findings that other people can cause. Returns the same object when there is nothing to leave out. */
export function withoutShared(examinations: Examinations, policy: Policy): Examinations {
  const isShared = ({ shared, code }: Finding) => shared === true && !policy.decisive.has(code);
  let own = examinations;
  for (const factor of FACTORS) {
    const examination = examinations[factor];
    if (!examination?.findings.some(isShared)) continue;
    const findings = examination.findings.filter((finding) => !isShared(finding));
    own = { ...own, [factor]: { ...examination, findings } };
  }
  return own;
}

/** The points of one finding under this policy: the points of its code, multiplied by its strength. */
export function pointsOf(finding: Finding, policy: Policy): number {
  const points = policy.points[finding.code] ?? REASONS[finding.code].points;
  return finding.strength === undefined ? points : Math.round(points * finding.strength);
}

function share(weight: number, total: number): number {
  return total > 0 ? weight / total : 0;
}

function scoreFactor(
  factor: Factor,
  examination: Examination | null,
  { share, policy }: { share: number; policy: Policy },
): ScoredFactor {
  if (!examination) {
    const riskLevel = riskLevelOf(UNKNOWN_SCORE, policy.levels);
    const reason = { code: notEvaluatedCode(factor), evidence: null };
    return { factor, state: 'not_evaluated', score: UNKNOWN_SCORE, weight: 0, riskLevel, reason };
  }
  let score = examination.base ?? (REASONS[examination.classification].base as number);
  let heaviest: Finding | null = null;
  let heaviestPoints = 0;
  for (const finding of examination.findings) {
    const points = pointsOf(finding, policy);
    score -= points;
    if (points > heaviestPoints || (points === heaviestPoints && heaviest && finding.code < heaviest.code)) {
      heaviest = finding;
      heaviestPoints = points;
    }
  }
  score = Math.max(0, Math.min(100, roundHalfUp(score)));
  const reason = heaviest ?? { code: examination.classification, evidence: examination.evidence };
  return {
    factor,
    state: 'evaluated',
    score,
    weight: share,
    riskLevel: riskLevelOf(score, policy.levels),
    reason: { code: reason.code, evidence: reason.evidence },
  };
}

/** @param ownFactors The factors without shared findings: a shared red flag does not count as the second one. */
function applicableCaps(
  { factors, ownFactors }: Readonly<Record<'factors' | 'ownFactors', readonly ScoredFactor[]>>,
  examinations: Examinations,
  policy: Policy,
): readonly AppliedCap[] {
  const high = highAmong(factors);
  const ownHigh = factors === ownFactors ? high : highAmong(ownFactors);
  const caps: AppliedCap[] = [];
  if (high.length >= 1) {
    caps.push({ cap: 'one_high_factor', limit: policy.caps.one_high_factor, because: high });
  }
  if (ownHigh.length >= 2) {
    caps.push({ cap: 'two_high_factors', limit: policy.caps.two_high_factors, because: ownHigh });
  }
  const decisive: string[] = [];
  for (const factor of FACTORS) {
    examinations[factor]?.findings.forEach(({ decisive: isDecisive, code }) => {
      if (isDecisive || policy.decisive.has(code)) decisive.push(code);
    });
  }
  if (decisive.length > 0)
    caps.push({ cap: 'decisive', limit: policy.caps.decisive, because: decisive.sort() });
  return caps;
}

function highAmong(factors: readonly ScoredFactor[]): readonly Factor[] {
  return factors.filter((f) => f.state === 'evaluated' && f.riskLevel === 'high').map((f) => f.factor);
}

function withListVerdict(factor: ScoredFactor, lists: readonly ListVerdict[], policy: Policy): ScoredFactor {
  const own = lists.filter((l) => REASONS[l.code].factor === factor.factor);
  const verdict = own.find((l) => l.verdict === 'denied') ?? own[0];
  if (!verdict) return factor;
  const score = listScore(verdict);
  return {
    ...factor,
    state: 'listed',
    score,
    riskLevel: riskLevelOf(score, policy.levels),
    reason: { code: verdict.code, evidence: verdict.evidence },
  };
}

export function listScore({ verdict }: ListVerdict): number {
  return verdict === 'denied' ? 0 : 100;
}

/** Rounds half up. Rounding errors of binary fractions are removed first: 69.499999999999993 is 69.5. */
function roundHalfUp(value: number): number {
  if (Number.isInteger(value)) return value;
  return Math.floor(Number(value.toFixed(6)) + 0.5);
}

export function riskLevelOf(score: number, levels: Policy['levels']): RiskLevel {
  if (score >= levels.low) return 'low';
  return score >= levels.medium ? 'medium' : 'high';
}
