import type { Judgement } from '../assessment/judge.ts';
import { REASONS } from '../assessment/reasons.ts';
import type { ScoredFactor } from '../assessment/score.ts';

/**
 * The part of a reason that depends only on its code. It is serialized once, which halves the cost of `JSON.stringify`.
 */
const REASON_TEXT = new Map(
  Object.entries(REASONS).map(([code, { description }]) => [
    code,
    `"reason_code":${JSON.stringify(code)},"description":${JSON.stringify(description)}`,
  ]),
);

/** The body of `200` to `POST /score-signup`. Every inserted value is a number, a fixed word or a domain. */
export function renderScore(judgement: Judgement): string {
  const { attempt, trustScore, riskLevel, factors } = judgement;
  const reasons = factors.map(
    ({ factor, score, reason, riskLevel: level }) =>
      `{"factor":"${factor}","score":${score},${textOf(reason)},"risk_level":"${level}"}`,
  );
  const processedAt = new Date(attempt.receivedAt).toISOString();
  return `{"trust_score":${trustScore},"risk_level":"${riskLevel}","reasons":[${reasons.join(',')}],"request_id":"${attempt.requestId}","processed_at":"${processedAt}"}`;
}

function textOf({ code, evidence }: ScoredFactor['reason']): string {
  if (code !== 'misspelled_domain' || evidence === null) return REASON_TEXT.get(code) ?? '';
  return `"reason_code":"${code}","description":${JSON.stringify(describeReason({ code, evidence }))}`;
}

/** Only one description names a value: the suggested domain, which comes from the table of providers. */
export function describeReason({ code, evidence }: ScoredFactor['reason']): string {
  const { description } = REASONS[code];
  const isMisspelled = code === 'misspelled_domain' && evidence !== null;
  return isMisspelled ? `${description} Did you mean ${evidence}?` : description;
}
