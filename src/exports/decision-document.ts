import { FACTORS } from '../assessment/reasons.ts';
import type { DecisionRecord } from '../storage/decisions/decision-record.ts';

/**
 * The version of the document. It increases when a field changes its meaning or is removed. A new field does not change
 * it.
 */
const VERSION = 1;

/** Facts about a decision that the decision record does not contain. */
export interface DecisionTrace {
  /**
   * The request id under which the decision is stored. It differs from the own id when the decision repeats an earlier
   * one.
   */
  readonly decisionId?: string;
  /** False when the gate acted before the record was written. */
  readonly isStored?: boolean;
}

/**
 * A decision as other systems receive it, in the decision log and in webhooks: one JSON object on one line, without its
 * line break. It contains the stored values: plain values only with `privacy.store_plain`. Values that change later
 * (label, outcome, repeats) are left out, so that all copies of a decision are equal.
 */
export function describeDecision(decision: DecisionRecord, trace: DecisionTrace = {}): string {
  const { requestId, identity, plain } = decision;
  const { decisionId = requestId, isStored = true } = trace;
  const factors: Record<string, unknown> = {};
  for (const factor of FACTORS) {
    const examination = decision.examinations[factor];
    factors[factor] = examination && {
      classification: examination.classification,
      evidence: examination.evidence,
      fields: examination.fields,
      incomplete: examination.incomplete,
      findings: examination.findings.map(({ code, evidence, fields }) => ({ code, evidence, fields })),
    };
  }
  const text = JSON.stringify({
    v: VERSION,
    type: 'decision',
    request_id: requestId,
    processed_at: new Date(decision.processedAt).toISOString(),
    door: decision.door,
    route: decision.route,
    account_id: decision.accountId,
    key_id: decision.keyId,
    test: decision.test,
    trust_score: decision.trustScore,
    risk_level: decision.riskLevel,
    wanted_action: decision.wantedAction,
    action: decision.action,
    mode: decision.mode,
    degraded: decision.degraded,
    factors,
    lists: decision.lists.map(({ verdict, code, evidence, fields }) => ({ verdict, code, evidence, fields })),
    domain: identity.domain,
    network: identity.network,
    pseudonyms: {
      mailbox: identity.mailbox,
      spelling: identity.spelling,
      ip: identity.ip,
      site: identity.site,
      user_agent: identity.userAgent,
      template: identity.template,
    },
    policy_revision: decision.policyRevision,
    data_revision: decision.dataRevision,
    judging_ms: decision.elapsedMs,
    repeat_of: decisionId === requestId ? undefined : decisionId,
    recorded: isStored ? undefined : false,
    plain: plain ? { email: plain.email, ip_address: plain.ip, user_agent: plain.userAgent } : undefined,
  });
  return escapeLineBreaks(text);
}

/** JSON keeps these characters unchanged, and some readers of lines break a line at them. */
function escapeLineBreaks(text: string): string {
  return text.replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
