import { describeReason } from '../api/score-answer.ts';
import { suggestedDomain } from '../assessment/suggested-domain.ts';
import type { Action } from '../config/config.ts';
import type { Decision } from '../decisions/judge-attempts.ts';
import { referenceOf } from '../http/reference.ts';

/**
 * The reason for the score of one factor. It is for the app and its operators. Do not show it to the sender, who could
 * learn what to change.
 */
export interface Reason {
  readonly factor: 'email' | 'ip_address' | 'velocity' | 'user_agent';
  /** The score of the factor, 0 to 100. A high score is good. */
  readonly score: number;
  /** The code of the reason. Codes are public API and are never renamed. docs/reasons.md lists all codes. */
  readonly reasonCode: string;
  readonly description: string;
  readonly riskLevel: 'low' | 'medium' | 'high';
}

/** What Gatekeeper knows about one signup. */
export interface SignupScore {
  /** A UUID. Use it for `feedback`, in the dashboard and for support. */
  readonly requestId: string;
  /** Eight characters that people can read out on the phone. Null when the decision is not stored. */
  readonly reference: string | null;
  /** The time of the decision in ISO 8601. */
  readonly processedAt: string;
  /** The trust score, 0 to 100. A high score is good. Null when no factor could be evaluated. */
  readonly trustScore: number | null;
  /** Null when no factor could be evaluated. */
  readonly riskLevel: 'low' | 'medium' | 'high' | null;
  /** Four reasons, one for each factor. Empty without a score. */
  readonly reasons: readonly Reason[];
  /** The domain that the sender probably meant. Null when nothing looks misspelled. */
  readonly suggestion: string | null;
  /** True when a factor was not evaluated, or when the decision was not stored. */
  readonly degraded: boolean;
}

/** A signup that the app's handler may process. */
export interface SignupDecision extends SignupScore {
  /** `verify`: the app must verify the mailbox before the account counts. */
  readonly action: 'forward' | 'verify';
  /** The action that the options require. In monitor mode, this is the action that enforce mode would take. */
  readonly wantedAction: 'forward' | 'verify' | 'block';
  readonly mode: 'enforce' | 'monitor';
}

/** @param stored The id of the stored decision, and whether it was stored. */
export function toScore(
  { judgement, score }: Decision,
  stored: { readonly decisionId: string; readonly isStored: boolean },
): SignupScore {
  return {
    requestId: stored.decisionId,
    reference: referenceOf(stored.decisionId),
    processedAt: new Date(judgement.attempt.receivedAt).toISOString(),
    trustScore: score?.trust ?? null,
    riskLevel: score?.riskLevel ?? null,
    reasons: score ? judgement.factors.map(toReason) : [],
    suggestion: suggestedDomain(judgement.examinations),
    degraded: judgement.degraded || !stored.isStored,
  };
}

function toReason({ factor, score, reason, riskLevel }: Decision['judgement']['factors'][number]): Reason {
  return { factor, score, reasonCode: reason.code, description: describeReason(reason), riskLevel };
}

/** The known facts about a signup that was not judged. */
export interface UnjudgedFacts {
  readonly requestId: string;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
  readonly mode: SignupDecision['mode'];
  readonly action: SignupDecision['action'];
  readonly wantedAction: Action;
}

/**
 * The decision on a signup that could not be judged. In monitor mode, also the decision on a signup that could not be
 * read. It is not stored.
 */
export function unjudgedDecision({ requestId, receivedAt, ...rules }: UnjudgedFacts): SignupDecision {
  return {
    requestId,
    reference: null,
    processedAt: new Date(receivedAt).toISOString(),
    trustScore: null,
    riskLevel: null,
    reasons: [],
    suggestion: null,
    degraded: true,
    ...rules,
  };
}
