import type { Policy, RiskLevel } from '../assessment/policy.ts';
import { riskLevelUnder, type Score, scoreFactors } from '../assessment/score.ts';
import type { Label, ReplayableDecision } from '../storage/decisions/decision-record.ts';
import type { Outcome } from '../storage/decisions/search/decision-filter.ts';
import { type Comparison, createComparison, createExamples, RISK_LEVELS } from './comparison.ts';
import type { Verdict } from './judge-history.ts';
import { createJudgementCounts, type JudgementCounts } from './judgement-counts.ts';
import { knownOutcomeOf } from './known-outcome.ts';
import type { StoredLists } from './stored-lists.ts';

/** Past decisions under another policy, from their stored examinations. */
export interface Replay {
  readonly decisions: number;
  /** True when there were more decisions than the limit: the oldest are left out. */
  readonly isLimited: boolean;
  /** The time of the oldest decision, in milliseconds since the epoch; null without decisions. */
  readonly from: number | null;
  /** The results of the other policy. */
  readonly after: JudgementCounts;
  /** The moves from the past levels to the levels of the other policy. */
  readonly comparison: Comparison;
  /** The later outcomes of signups whose level changes. */
  readonly stricter: Afterwards;
  readonly milder: Afterwards;
  /** The newest decisions of each move. */
  readonly examples: readonly ReplayedDecision[];
}

/**
 * The numbers of held signups that were verified, expired or locked, and the numbers of signups with each label. A
 * signup counts by its label when the owner of its mailbox reported it, or when the staff reviewed it. A signup with a
 * corrected mailbox counts by its own decision.
 */
export type Afterwards = Readonly<
  Record<Exclude<Outcome, 'reported' | 'corrected' | 'let_in' | 'refused'> | Label, number>
>;

export interface ReplayedDecision {
  readonly requestId: string;
  readonly processedAt: number;
  readonly domain: string | null;
  readonly network: string;
  readonly outcome: string | null;
  readonly label: Label | null;
  readonly before: { readonly trustScore: number; readonly riskLevel: RiskLevel };
  readonly after: Verdict;
}

export interface ReplayDependencies {
  /** The decisions in chunks, newest first. Other work can run between two chunks. */
  readonly decisions: AsyncIterable<readonly ReplayableDecision[]>;
  readonly policy: Policy;
  /** A route of the gate may have its own levels. */
  readonly levelsOf: (route: string | null) => Policy['levels'];
  /** Additional entries, besides those that matched at the time. */
  readonly lists: StoredLists;
  readonly limit: number;
  /** Called between two chunks with the number of decisions so far; when it returns false, the replay ends early. */
  readonly isWanted: (replayed: number) => boolean;
}

const EXAMPLES_PER_MOVE = 10;

/**
 * Computes scores again from stored examinations. No processor runs, so the results of velocity, data sets and DNS are
 * those of that time.
 */
export async function replayDecisions(dependencies: ReplayDependencies): Promise<Replay> {
  const counts = createJudgementCounts();
  const { comparison, add } = createComparison();
  const afterwards = { stricter: noneAfterwards(), milder: noneAfterwards() };
  const examples = createExamples<ReplayedDecision>(EXAMPLES_PER_MOVE);
  let decisions = 0;
  let from: number | null = null;
  let isLimited = false;
  for await (const chunk of dependencies.decisions) {
    for (const decision of chunk.slice(0, dependencies.limit - decisions)) {
      const score = scoreOnceMore(decision, dependencies);
      const { riskLevel, label, outcome } = decision;
      const known = knownOutcomeOf(label, outcome);
      counts.add(score, known);
      add(riskLevel, score.riskLevel, known);
      if (riskLevel !== score.riskLevel) {
        const move = isStricter(riskLevel, score.riskLevel) ? 'stricter' : 'milder';
        countAfterwards(afterwards[move], outcome, label);
        examples.add(riskLevel, score.riskLevel, () => toExample(decision, score));
      }
      from = decision.processedAt;
    }
    isLimited = decisions + chunk.length > dependencies.limit;
    decisions = Math.min(dependencies.limit, decisions + chunk.length);
    if (isLimited || !dependencies.isWanted(decisions)) break;
  }
  return {
    decisions,
    isLimited,
    from,
    after: counts.counts,
    comparison,
    ...afterwards,
    examples: examples.all().sort((a, b) => b.processedAt - a.processedAt),
  };
}

function scoreOnceMore(
  { examinations, lists, identity, route }: ReplayableDecision,
  { policy, lists: more, levelsOf }: ReplayDependencies,
): Score {
  const score = scoreFactors(examinations, [...lists, ...more.match({ identity, examinations })], policy);
  return { ...score, riskLevel: riskLevelUnder(score, levelsOf(route)) };
}

function isStricter(before: RiskLevel, after: RiskLevel): boolean {
  return RISK_LEVELS.indexOf(after) > RISK_LEVELS.indexOf(before);
}

function noneAfterwards(): Record<keyof Afterwards, number> {
  return { verified: 0, expired: 0, locked: 0, legitimate: 0, fraud: 0 };
}

function countAfterwards(
  counts: Record<keyof Afterwards, number>,
  outcome: string | null,
  label: Label | null,
): void {
  if (outcome === 'verified' || outcome === 'expired' || outcome === 'locked') counts[outcome]++;
  if (label) counts[label]++;
}

function toExample(decision: ReplayableDecision, score: Score): ReplayedDecision {
  const { requestId, processedAt, identity, outcome, label, trustScore, riskLevel } = decision;
  const doubtful = score.factors.filter((factor) => factor.riskLevel !== 'low');
  return {
    requestId,
    processedAt,
    domain: identity.domain,
    network: identity.network,
    outcome,
    label,
    before: { trustScore, riskLevel },
    after: {
      trustScore: score.trustScore,
      riskLevel: score.riskLevel,
      reasons: doubtful.map(({ reason }) => reason.code),
    },
  };
}
