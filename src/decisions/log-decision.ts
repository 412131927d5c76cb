import type { Logger } from '../telemetry/logger.ts';
import type { Decision } from './decision.ts';

/**
 * One line for each decision, the same from every door. Written as text, since there is one for every signup: pino takes
 * 3 µs for it, this takes half a microsecond. Ids, codes and numbers need no escaping, names of routes do.
 *
 * @param keptAs The request id that the decision is found by.
 */
export function logDecision(decision: Decision, keptAs: string, log: Logger): void {
  if (!log.isLevelEnabled('info')) return;
  const { judgement, score, action, wantedAction } = decision;
  const { attempt, factors, degraded, elapsedMs } = judgement;
  const reasons = factors.map(({ reason }) => reason.code).join('","');
  let members = `"request_id":"${attempt.requestId}","door":"${attempt.door}"`;
  if (attempt.route !== null) members += `,"route":${JSON.stringify(attempt.route)}`;
  members += `,"trust_score":${score?.trust ?? null},"risk_level":${score ? `"${score.riskLevel}"` : null}`;
  if (action !== null) members += `,"action":"${action}","wanted_action":"${wantedAction}"`;
  members += `,"reasons":["${reasons}"],"ms":${Math.round(elapsedMs * 100) / 100}`;
  if (degraded) members += ',"degraded":true';
  if (keptAs !== attempt.requestId) members += `,"repeat_of":"${keptAs}"`;
  log.infoMembers(members, score ? 'a signup was judged' : 'a signup could not be judged');
}
