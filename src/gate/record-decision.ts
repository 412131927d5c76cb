import type { Decisions } from '../records/records.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Decision } from './decide.ts';

export interface RecordingParts {
  readonly decisions: Pick<Decisions, 'record'>;
  readonly log: Logger;
  readonly storePlain: boolean;
}

/** Two turns of a slow disk. A signup is not held up for longer: the writing goes on without it. */
const MAX_WAIT_MS = 250;

/**
 * Keeps a decision before it is acted on, in the records and as a line of the log. An app never sees a signup whose
 * decision a crash could lose, unless the disk is slow or broken: then the signup does not fail for it.
 *
 * @returns whether it is kept for good.
 */
export function recordDecision(decision: Decision, parts: RecordingParts): Promise<boolean> {
  const { log, decisions, storePlain } = parts;
  logDecision(decision, log);
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, MAX_WAIT_MS, false);
    const settle = (isKept: boolean) => {
      clearTimeout(timer);
      resolve(isKept);
    };
    decisions.record(toRecord(decision, storePlain)).then(
      () => settle(true),
      (error: unknown) => {
        const { requestId } = decision.judgement.attempt;
        log.error({ err: error, request_id: requestId }, 'a decision of the gate could not be recorded');
        settle(false);
      },
    );
  });
}

function logDecision({ route, judgement, score, wanted, action }: Decision, log: Logger): void {
  if (!log.isLevelEnabled('info')) return;
  const { attempt, factors, degraded, elapsedMs } = judgement;
  const facts: Record<string, unknown> = {
    request_id: attempt.requestId,
    route: route.name,
    trust_score: score?.trust ?? null,
    risk_level: score?.riskLevel ?? null,
    action,
    reasons: factors.map(({ reason }) => reason.code),
    ms: Math.round(elapsedMs * 100) / 100,
  };
  if (route.mode === 'monitor') facts.monitor = wanted;
  if (degraded) facts.degraded = true;
  log.info(facts, score ? 'a signup was judged' : 'a signup could not be judged');
}

/** `action` is what the route asked for; with `mode: monitor` the request was forwarded all the same. */
function toRecord({ route, judgement, score, wanted }: Decision, storePlain: boolean) {
  const { attempt } = judgement;
  return {
    requestId: attempt.requestId,
    processedAt: attempt.receivedAt,
    door: attempt.door,
    accountId: null,
    keyId: null,
    test: false,
    scope: attempt.scope,
    route: attempt.route,
    identity: attempt.identity,
    trustScore: judgement.trustScore,
    riskLevel: score?.riskLevel ?? judgement.riskLevel,
    action: wanted,
    mode: route.mode,
    degraded: judgement.degraded,
    examinations: judgement.examinations,
    lists: judgement.lists,
    policyRevision: judgement.policyRevision,
    dataRevision: judgement.dataRevision,
    elapsedMs: judgement.elapsedMs,
    plain: storePlain
      ? {
          email: attempt.email.mailbox?.address ?? null,
          ip: attempt.ip.text,
          userAgent: attempt.userAgent,
        }
      : null,
  };
}
