import type { Attempt } from '../assessment/attempt.ts';
import type { Examination } from '../assessment/processor.ts';
import type { Action } from '../config/config.ts';
import type { Decision } from './decide.ts';

const SEVERITY: Readonly<Record<Action, number>> = { forward: 0, verify: 1, block: 2 };
const MAX_EVIDENCE_CHARACTERS = 200;

/**
 * Decides on a signup that holds several emails: each is judged, and the worst decision counts. It stays the decision on
 * the first, which is the one that the app is told of, verifies and is recorded; its evidence says what it goes by.
 */
export async function worstDecision(
  attempt: Attempt,
  others: readonly Attempt[],
  decideOn: (attempt: Attempt) => Promise<Decision>,
): Promise<Decision> {
  const first = decideOn(attempt);
  if (others.length === 0) return first;
  const [own, ...rest] = await Promise.all([first, ...others.map(decideOn)]);
  const worst = rest.reduce((worse, decision) => (isWorse(decision, worse) ? decision : worse), own);
  if (worst === own) return own;
  const { judgement } = worst;
  const { email } = judgement.examinations;
  const examinations = { ...judgement.examinations, email: email && ofSecondEmail(email) };
  return { ...worst, judgement: { ...judgement, attempt, examinations } };
}

function isWorse(a: Decision, b: Decision): boolean {
  const difference = SEVERITY[a.wanted] - SEVERITY[b.wanted];
  if (difference !== 0) return difference > 0;
  return a.score !== null && (b.score === null || a.score.trust < b.score.trust);
}

function ofSecondEmail(examination: Examination): Examination {
  const noted = (evidence: string | null) =>
    `second email${evidence === null ? '' : `: ${evidence}`}`.slice(0, MAX_EVIDENCE_CHARACTERS);
  return {
    ...examination,
    evidence: noted(examination.evidence),
    findings: examination.findings.map((finding) => ({ ...finding, evidence: noted(finding.evidence) })),
  };
}
