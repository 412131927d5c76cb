import type { ScoreAnswer } from './api-types.generated.ts';
import type { GatekeeperError } from './gatekeeper-error.ts';
import type { ProblemError } from './problem-error.ts';

/** Gatekeeper scored the signup. */
export interface ScoredSignup extends ScoreAnswer {
  readonly source: 'decision';
  /**
   * The domain that the sender probably meant, such as `gmail.com` for `gmial.com`. Null when nothing looks misspelled.
   */
  readonly suggestion: string | null;
  readonly error: null;
}

/** No decision. `riskLevel` only repeats `onError`: `low` for `allow`, `high` for `deny`. */
export interface FallbackResult {
  readonly source: 'fallback';
  readonly riskLevel: 'low' | 'high';
  readonly trustScore: null;
  readonly reasons: readonly [];
  readonly requestId: null;
  readonly suggestion: null;
  /** The reason why there is no decision. Write it to your log. */
  readonly error: GatekeeperError;
}

/**
 * Gatekeeper refuses the fields of this signup, such as an email that is no mailbox. The sender of the signup can cause
 * this, so it is `high` even with `onError: 'allow'`. Otherwise a sender could avoid the check with a malformed email.
 */
export interface InvalidSignup extends Omit<FallbackResult, 'source' | 'riskLevel' | 'error'> {
  readonly source: 'invalid';
  readonly riskLevel: 'high';
  /** `error.errors` names the fields. */
  readonly error: ProblemError;
}

export type ScoreResult = ScoredSignup | FallbackResult | InvalidSignup;

const EMPTY = { trustScore: null, reasons: [], requestId: null, suggestion: null } as const;
/** Refusals that the sender of a signup can cause. One of them is another email for the same idempotency key. */
const CAUSED_BY_SIGNUP: readonly string[] = [
  'invalid_request',
  'malformed_json',
  'payload_too_large',
  'idempotency_key_reused',
];

/** The result in place of a decision. */
export function resultWithoutDecision(
  error: GatekeeperError,
  onError: 'allow' | 'deny',
): FallbackResult | InvalidSignup {
  if (isRefusalOfSignup(error)) return { ...EMPTY, source: 'invalid', riskLevel: 'high', error };
  return { ...EMPTY, source: 'fallback', riskLevel: onError === 'allow' ? 'low' : 'high', error };
}

function isRefusalOfSignup(error: GatekeeperError): error is ProblemError {
  return CAUSED_BY_SIGNUP.includes(error.code);
}
