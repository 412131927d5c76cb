import type { Attempt } from '../assessment/attempt.ts';
import type { Judge, Judgement } from '../assessment/judge.ts';
import type { Policy, RiskLevel } from '../assessment/policy.ts';
import type { Examination } from '../assessment/processor.ts';
import { riskLevelUnder, scoreFactors } from '../assessment/score.ts';
import type { Action, RouteConfig } from '../config/config.ts';
import type { Logger } from '../telemetry/logger.ts';

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

/** The rules that turn a result into an action: the rules of a gate route, or the rules for registrations. */
export type ActionRules = Pick<
  RouteConfig,
  'mode' | 'levels' | 'on_low' | 'on_medium' | 'on_high' | 'on_error' | 'on_missing_email'
>;

/** A judgement and its consequence. The API leaves the action to its caller: its actions are null. */
export interface Decision<Act extends Action | null = Action | null> {
  readonly judgement: Judgement;
  /** The level by the rules. Null when there is no score: no factor was evaluated and no list matched. */
  readonly score: { readonly trust: number; readonly riskLevel: RiskLevel } | null;
  /** The action that the rules require. */
  readonly wantedAction: Act;
  /**
   * The action that is taken. It differs in monitor mode, which always forwards, and when a verification is unnecessary
   * or impossible.
   */
  readonly action: Act;
  readonly mode: Act extends null ? null : RouteConfig['mode'];
}

/** Applies the rules to a judgement. Pure. */
export function decide(judgement: Judgement, rules: ActionRules, policy: Policy): Decision<Action> {
  const isDecided = judgement.mean !== null || judgement.lists.length > 0;
  const riskLevel = isDecided ? riskLevelUnder(judgement, rules.levels ?? policy.levels) : null;
  const wantedAction = wantedActionOf(judgement, rules, riskLevel);
  return {
    judgement,
    score: riskLevel && { trust: judgement.trustScore, riskLevel },
    wantedAction,
    action: rules.mode === 'monitor' ? 'forward' : wantedAction,
    mode: rules.mode,
  };
}

/** The decision of the API: a score and a level, without an action. */
export function advise(judgement: Judgement): Decision<null> {
  const { trustScore: trust, riskLevel } = judgement;
  return { judgement, score: { trust, riskLevel }, wantedAction: null, action: null, mode: null };
}

function wantedActionOf(
  { attempt: { email } }: Judgement,
  rules: ActionRules,
  riskLevel: RiskLevel | null,
): Action {
  if (email.mailbox === null && email.problem === 'missing' && rules.on_missing_email === 'forward') {
    return 'forward';
  }
  return riskLevel === null ? rules.on_error : rules[`on_${riskLevel}`];
}
