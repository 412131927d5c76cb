import type { Policy } from '../assessment/policy.ts';
import { scoreFactors } from '../assessment/score.ts';
import type { Action, RouteConfig } from '../config/config.ts';
import { type Decision, decide } from '../decisions/judge-attempts.ts';

/**
 * The decision on a signup whose route probably has a wrong place for the email: the action of `on_error`, unless the
 * other factors alone refuse the signup. The wanted action stays the same, so the records show what happened.
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
