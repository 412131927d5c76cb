import type { Policy } from '../assessment/policy.ts';
import { scoreFactors } from '../assessment/score.ts';
import type { Action, RouteConfig } from '../config/config.ts';
import { type Decision, decide } from '../decisions/decision.ts';

/**
 * The decision on a signup whose route probably has a wrong place for the email: what `on_error` says, unless the other
 * factors refuse the signup by themselves. The wanted action stays the same, so that records show what happened.
 */
export function decideWithoutEmail(
  decision: Decision<Action>,
  route: RouteConfig,
  policy: Policy,
): Decision<Action> {
  const { judgement, action } = decision;
  if (action !== 'block' || route.on_error !== 'forward') return decision;
  const examinations = { ...judgement.examinations, email: null };
  const rest = { ...judgement, ...scoreFactors(examinations, judgement.lists, policy), examinations };
  if (decide(rest, route, policy).action === 'block') return decision;
  return { ...decision, action: 'forward', judgement: { ...judgement, degraded: true } };
}
