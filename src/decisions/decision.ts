import type { Judgement } from '../assessment/judge.ts';
import type { Policy, RiskLevel } from '../assessment/policy.ts';
import { riskLevelUnder } from '../assessment/score.ts';
import type { Action, RouteConfig } from '../config/config.ts';

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
