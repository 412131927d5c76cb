import type { Judgement } from '../assessment/judge.ts';
import type { Policy, RiskLevel } from '../assessment/policy.ts';
import { riskLevelUnder } from '../assessment/score.ts';
import type { Action, RouteConfig } from '../config/config.ts';

/** What becomes of one judged signup, and why. */
export interface Decision {
  readonly route: RouteConfig;
  readonly judgement: Judgement;
  /** By the levels of the route. Null when there is nothing to decide by: no factor was evaluated, no list spoke. */
  readonly score: { readonly trust: number; readonly riskLevel: RiskLevel } | null;
  /** What the route asks for. */
  readonly wanted: Action;
  /** What is done: in monitor mode the request is always forwarded. */
  readonly action: Action;
}

/** Pure: the route's answer to what the judge found. */
export function decide(route: RouteConfig, judgement: Judgement, policy: Policy): Decision {
  const isDecided = judgement.mean !== null || judgement.lists.length > 0;
  const trust = judgement.trustScore;
  const riskLevel = riskLevelUnder(judgement, route.levels ?? policy.levels);
  const score = isDecided ? { trust, riskLevel } : null;
  const wanted = wantedAction(route, judgement, score?.riskLevel ?? null);
  return { route, judgement, score, wanted, action: route.mode === 'monitor' ? 'forward' : wanted };
}

function wantedAction(route: RouteConfig, { attempt }: Judgement, riskLevel: RiskLevel | null): Action {
  const { email } = attempt;
  if (email.mailbox === null && email.problem === 'missing' && route.on_missing_email === 'forward') {
    return 'forward';
  }
  return riskLevel === null ? route.on_error : route[`on_${riskLevel}`];
}
