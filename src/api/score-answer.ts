import type { Judgement } from '../assessment/judge.ts';
import { REASONS, type ReasonCode } from '../assessment/reasons.ts';
import type { DecisionRecord } from '../storage/storage.ts';

/** The part of a reason that depends on its code alone, written once: half of what `JSON.stringify` would cost. */
const REASON_TEXT = new Map(
  Object.entries(REASONS).map(([code, { description }]) => [
    code,
    `"reason_code":${JSON.stringify(code)},"description":${JSON.stringify(description)}`,
  ]),
);

/** The body of `200` to `POST /score-signup`. Every value put in is a number or a word of ours. */
export function renderScore(judgement: Judgement): string {
  const { attempt, trustScore, riskLevel, factors } = judgement;
  const reasons = factors.map(
    ({ factor, score, reason, riskLevel: level }) =>
      `{"factor":"${factor}","score":${score},${textOf(reason.code)},"risk_level":"${level}"}`,
  );
  const processedAt = new Date(attempt.receivedAt).toISOString();
  return `{"trust_score":${trustScore},"risk_level":"${riskLevel}","reasons":[${reasons.join(',')}],"request_id":"${attempt.requestId}","processed_at":"${processedAt}"}`;
}

function textOf(code: ReasonCode): string {
  return REASON_TEXT.get(code) ?? '';
}

/** Whose decision it is, and whether what was sent may be kept in plain text (`privacy.store_plain`). */
export interface DecisionOwner {
  readonly accountId: string;
  readonly keyId: string;
  readonly test: boolean;
  readonly storePlain: boolean;
}

/** What is kept of a decision of the API, which leaves the acting to its caller. */
export function decisionRecord(judgement: Judgement, owner: DecisionOwner): DecisionRecord {
  const { attempt } = judgement;
  return {
    requestId: attempt.requestId,
    processedAt: attempt.receivedAt,
    door: attempt.door,
    accountId: owner.accountId,
    keyId: owner.keyId,
    test: owner.test,
    scope: attempt.scope,
    route: attempt.route,
    identity: attempt.identity,
    trustScore: judgement.trustScore,
    riskLevel: judgement.riskLevel,
    action: null,
    mode: null,
    degraded: judgement.degraded,
    examinations: judgement.examinations,
    lists: judgement.lists,
    policyRevision: judgement.policyRevision,
    dataRevision: judgement.dataRevision,
    elapsedMs: judgement.elapsedMs,
    plain: owner.storePlain
      ? {
          email: attempt.email.mailbox?.address ?? null,
          ip: attempt.ip.text,
          userAgent: attempt.userAgent,
        }
      : null,
  };
}
