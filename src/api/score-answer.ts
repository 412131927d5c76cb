import type { Judgement } from '../assessment/judge.ts';
import { REASONS, type ReasonCode } from '../assessment/reasons.ts';

/** The part of a reason that depends on its code only, serialized once: this halves the cost of `JSON.stringify`. */
const REASON_TEXT = new Map(
  Object.entries(REASONS).map(([code, { description }]) => [
    code,
    `"reason_code":${JSON.stringify(code)},"description":${JSON.stringify(description)}`,
  ]),
);

/** The body of `200` to `POST /score-signup`. Every inserted value is a number or a fixed word. */
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
