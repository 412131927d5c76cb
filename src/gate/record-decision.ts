import type { Decisions } from '../storage/storage.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Decision } from './decide.ts';

export interface RecordingDependencies {
  readonly decisions: Pick<Decisions, 'record'>;
  readonly log: Logger;
  readonly storePlain: boolean;
}

/** Two turns of a slow disk. A signup is not held up for longer: the writing goes on without it. */
const MAX_WAIT_MS = 250;

export interface RecordedDecision {
  /** Whether it is kept for good. */
  readonly isKept: boolean;
  /** What it is found by: the id of an earlier request where it repeats that one. */
  readonly requestId: string;
}

/**
 * Keeps a decision before it is acted on, in the records and as a line of the log. An app never sees a signup whose
 * decision a crash could lose, unless the disk is slow or broken: then the signup does not fail for it.
 */
export function recordDecision(decision: Decision, parts: RecordingDependencies): Promise<RecordedDecision> {
  const { log, decisions, storePlain } = parts;
  const { requestId } = decision.judgement.attempt;
  return new Promise((resolve) => {
    let isSettled = false;
    const settle = (recorded: RecordedDecision) => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(timer);
      logDecision(decision, recorded, log);
      resolve(recorded);
    };
    const timer = setTimeout(settle, MAX_WAIT_MS, { isKept: false, requestId });
    decisions.record(toRecord(decision, storePlain)).then(
      (keptAs) => settle({ isKept: true, requestId: keptAs }),
      (error: unknown) => {
        log.error({ err: error, request_id: requestId }, 'a decision of the gate could not be recorded');
        settle({ isKept: false, requestId });
      },
    );
  });
}

function logDecision(
  { route, judgement, score, wanted, action }: Decision,
  recorded: RecordedDecision,
  log: Logger,
): void {
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
  if (recorded.requestId !== attempt.requestId) facts.repeat_of = recorded.requestId;
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
