import { describeReason } from '../api/score-answer.ts';
import { suggestedDomain } from '../assessment/suggested-domain.ts';
import type { Action } from '../config/config.ts';
import type { Decision } from '../decisions/decision.ts';
import { referenceOf } from '../http/reference.ts';

/** Why a factor has its score. For the app and its operators: a sender who reads it learns what to change. */
export interface Reason {
  readonly factor: 'email' | 'ip_address' | 'velocity' | 'user_agent';
  /** 0 to 100; high is good. */
  readonly score: number;
  /** Public API, never renamed: docs/reasons.md lists all. */
  readonly reasonCode: string;
  readonly description: string;
  readonly riskLevel: 'low' | 'medium' | 'high';
}

/** What Gatekeeper knows about one signup. */
export interface SignupScore {
  /** A UUID: for `feedback`, the dashboard and support. */
  readonly requestId: string;
  /** Eight characters for people on the phone; null when no decision is stored. */
  readonly reference: string | null;
  /** ISO 8601. */
  readonly processedAt: string;
  /** 0 to 100; high is good. Null when no factor could be evaluated. */
  readonly trustScore: number | null;
  /** Null when no factor could be evaluated. */
  readonly riskLevel: 'low' | 'medium' | 'high' | null;
  /** Four, one for each factor; none without a score. */
  readonly reasons: readonly Reason[];
  /** The domain that the sender probably meant; null when nothing looks misspelled. */
  readonly suggestion: string | null;
  /** A factor was not evaluated, or the decision was not stored. */
  readonly degraded: boolean;
}

/** A signup that the app's handler may process. */
export interface SignupDecision extends SignupScore {
  /** `verify`: the app must verify the mailbox before the account counts. */
  readonly action: 'forward' | 'verify';
  /** What the options require; in monitor mode, what enforce mode would have done. */
  readonly wantedAction: 'forward' | 'verify' | 'block';
  readonly mode: 'enforce' | 'monitor';
}

/** @param stored The id under which the decision is stored, and whether it is. */
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

/** What is known about a signup that was not judged. */
export interface UnjudgedFacts {
  readonly requestId: string;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
  readonly mode: SignupDecision['mode'];
  readonly action: SignupDecision['action'];
  readonly wantedAction: Action;
}

/** The decision on a signup that could not be judged, or, in monitor mode, not be read. It is not stored. */
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
