import type { Attempt } from '../assessment/attempt.ts';
import type { Judge, Judgement } from '../assessment/judge.ts';
import type { Examination } from '../assessment/processor.ts';
import { scoreFactors } from '../assessment/score.ts';
import type { Action } from '../config/config.ts';
import type { Logger } from '../telemetry/logger.ts';
import { type ActionRules, type Decision, decide } from './decision.ts';

const SEVERITY: Readonly<Record<Action, number>> = { forward: 0, verify: 1, block: 2 };
const MAX_EVIDENCE_CHARACTERS = 200;

/**
 * Judges an attempt and decides on it. Answers directly when the judge answers directly. If a signup has several
 * emails, each is judged and the worst decision counts. The result is still the decision on the first email. That email
 * is verified, recorded and reported to the app, and the evidence names the email with the worst decision. Never fails.
 */
export function judgeAttempts(
  [attempt, ...others]: readonly [Attempt, ...Attempt[]],
  rules: ActionRules,
  { judge, log }: DecidingOptions,
): Decision<Action> | Promise<Decision<Action>> {
  const decideOn = (each: Attempt) => judgeAttempt(each, rules, { judge, log });
  if (others.length === 0) return decideOn(attempt);
  return worstFor(attempt, Promise.all([decideOn(attempt), ...others.map(decideOn)]));
}

interface DecidingOptions {
  readonly judge: Judge;
  readonly log: Logger;
}

function judgeAttempt(
  attempt: Attempt,
  rules: ActionRules,
  { judge, log }: DecidingOptions,
): Decision<Action> | Promise<Decision<Action>> {
  const made: Decision<Action>[] = [];
  // The judge calls this right after scoring, so judge and door use the same decision.
  const isRefused = (judgement: Judgement) => {
    made[0] = decide(judgement, rules, judge.policy);
    return made[0].wantedAction === 'block';
  };
  const decided = (judgement: Judgement) => made[0] ?? decide(judgement, rules, judge.policy);
  const judging = judgeSafely(attempt, { judge, isRefused, log });
  return judging instanceof Promise ? judging.then(decided) : decided(judging);
}

async function worstFor(
  attempt: Attempt,
  deciding: Promise<readonly [Decision<Action>, ...Decision<Action>[]]>,
): Promise<Decision<Action>> {
  const [own, ...rest] = await deciding;
  const worst = rest.reduce((worse, decision) => (isWorse(decision, worse) ? decision : worse), own);
  if (worst === own) return own;
  const { judgement } = worst;
  const { email } = judgement.examinations;
  const examinations = { ...judgement.examinations, email: email && ofSecondEmail(email) };
  return { ...worst, judgement: { ...judgement, attempt, examinations } };
}

interface JudgingOptions extends DecidingOptions {
  readonly isRefused?: (judgement: Judgement) => boolean;
}

/** A judge never fails. If a bug makes it fail, all factors count as not evaluated, and the rules decide. */
export function judgeSafely(
  attempt: Attempt,
  { judge, isRefused, log }: JudgingOptions,
): Judgement | Promise<Judgement> {
  const failed = (error: unknown) => {
    log.error({ err: error, request_id: attempt.requestId }, 'a signup could not be judged');
    return unjudged(attempt, judge);
  };
  try {
    const judging = judge.judge(attempt, isRefused);
    return judging instanceof Promise ? judging.catch(failed) : judging;
  } catch (error) {
    return failed(error);
  }
}

function unjudged(attempt: Attempt, { policy, policyRevision }: Judge): Judgement {
  const examinations = { email: null, ip_address: null, velocity: null, user_agent: null };
  return {
    attempt,
    ...scoreFactors(examinations, [], policy),
    examinations,
    lists: [],
    degraded: true,
    policyRevision,
    dataRevision: '',
    elapsedMs: 0,
  };
}

function isWorse(a: Decision<Action>, b: Decision<Action>): boolean {
  const difference = SEVERITY[a.wantedAction] - SEVERITY[b.wantedAction];
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
