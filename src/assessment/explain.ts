import type { EvidenceFields } from './evidence-fields.ts';
import type { Policy, RiskLevel } from './policy.ts';
import type { Examination, Finding } from './processor.ts';
import { FACTORS, type Factor, notEvaluatedCode, REASONS, type ReasonCode } from './reasons.ts';
import { type AppliedCap, type Examinations, type ListVerdict, pointsOf, scoreFactors } from './score.ts';

/** One line of a factor's arithmetic: a finding and its points. */
export interface ExplainedFinding {
  readonly code: ReasonCode;
  /** Points subtracted from the factor's score. 0 for the classification, which sets the base. */
  readonly points: number;
  readonly description: string;
  /** The facts as a sentence for people. */
  readonly evidence: string | null;
  /** The same facts for programs. Empty when there are no facts, and for decisions that were stored without facts. */
  readonly fields: EvidenceFields;
}

export interface ExplainedFactor {
  readonly factor: Factor;
  readonly state: 'evaluated' | 'not_evaluated' | 'listed';
  readonly score: number;
  readonly weight: number;
  readonly risk_level: RiskLevel;
  readonly findings: readonly ExplainedFinding[];
}

/** How a score was computed, in the words and shape of the API. */
export interface Explanation {
  readonly trust_score: number;
  readonly risk_level: RiskLevel;
  readonly factors: readonly ExplainedFactor[];
  readonly mean: number | null;
  readonly caps: readonly AppliedCap[];
  /** The score without one finding, for each finding that changes the score. */
  readonly counterfactual: readonly {
    readonly without: ReasonCode;
    readonly trust_score: number;
    readonly risk_level: RiskLevel;
  }[];
}

/**
 * Computes the score again from the stored examinations and lists every step. Old decisions get the same explanation,
 * because the function is pure.
 */
export function explain(
  examinations: Examinations,
  lists: readonly ListVerdict[],
  policy: Policy,
): Explanation {
  const score = scoreFactors(examinations, lists, policy);
  return {
    trust_score: score.trustScore,
    risk_level: score.riskLevel,
    factors: score.factors.map((factor) => ({
      factor: factor.factor,
      state: factor.state,
      score: factor.score,
      weight: factor.weight,
      risk_level: factor.riskLevel,
      findings: [
        ...lists.filter(({ code }) => REASONS[code].factor === factor.factor).map(explainList),
        ...explainFindings(factor.factor, examinations[factor.factor], policy),
      ],
    })),
    mean: score.mean,
    caps: score.caps,
    counterfactual: counterfactuals(examinations, lists, policy),
  };
}

function explainFindings(
  factor: Factor,
  examination: Examination | null,
  policy: Policy,
): readonly ExplainedFinding[] {
  if (!examination) return [describe(notEvaluatedCode(factor), 0, { evidence: null })];
  const { classification, incomplete } = examination;
  return [
    describe(classification, 0, examination),
    ...examination.findings.map((finding) => describe(finding.code, pointsOf(finding, policy), finding)),
    ...(incomplete === null ? [] : [describe(notEvaluatedCode(factor), 0, { evidence: incomplete })]),
  ];
}

function explainList(verdict: ListVerdict): ExplainedFinding {
  return describe(verdict.code, 0, verdict);
}

function describe(
  code: ReasonCode,
  points: number,
  { evidence, fields = {} }: Pick<Finding, 'evidence' | 'fields'>,
): ExplainedFinding {
  return { code, points, description: REASONS[code].description, evidence, fields };
}

function counterfactuals(examinations: Examinations, lists: readonly ListVerdict[], policy: Policy) {
  const rows: Explanation['counterfactual'][number][] = [];
  const add = (without: ReasonCode, changed: Examinations, changedLists: readonly ListVerdict[]) => {
    const { trustScore, riskLevel } = scoreFactors(changed, changedLists, policy);
    rows.push({ without, trust_score: trustScore, risk_level: riskLevel });
  };
  for (const verdict of lists) {
    add(
      verdict.code,
      examinations,
      lists.filter((l) => l !== verdict),
    );
  }
  for (const factor of FACTORS) {
    const examination = examinations[factor];
    for (const finding of examination?.findings ?? []) {
      add(finding.code, { ...examinations, [factor]: examination && without(examination, finding) }, lists);
    }
  }
  return rows;
}

function without(examination: Examination, finding: Finding): Examination {
  return { ...examination, findings: examination.findings.filter((f) => f !== finding) };
}
