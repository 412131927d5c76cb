import { hash } from 'node:crypto';
import type { RiskLevel } from '../assessment/policy.ts';
import type { Action } from '../config/config.ts';
import type { Signer } from './assertion.ts';

/** The request as the app gets it. */
export interface AssertedRequest {
  readonly requestId: string;
  readonly method: string;
  /** The target as forwarded. */
  readonly path: string;
  /** As sent, without white space around it; null when there is none. */
  readonly email: string | null;
  /** As forwarded; the hash (hex) of one that is not in memory. */
  readonly body: Buffer | { readonly sha256: string };
  /** The sender has shown that the mailbox is theirs. */
  readonly verified: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** What the app is told of the decision. */
export type Verdict = {
  readonly mode: 'enforce' | 'monitor';
  /** Null when there was nothing to decide by. */
  readonly score: { readonly trust: number; readonly riskLevel: RiskLevel } | null;
  readonly wantedAction: Action;
  readonly action: Action;
};

/** The app is asked within moments: long enough for clocks that differ, too short to be of use to anybody else. */
const ASSERTION_LIFETIME_S = 60;

/**
 * What the app is told about a signup, name and value in turn. Score and level are missing where there was
 * nothing to decide by; `-Monitor` says what would have been done, `-Degraded` that something could not be evaluated or
 * recorded.
 */
export function gateHeaders(
  request: AssertedRequest,
  verdict: Verdict,
  { signer, degraded }: { readonly signer: Signer; readonly degraded: boolean },
): string[] {
  const { mode, score, wantedAction, action } = verdict;
  const headers = ['X-Gatekeeper-Request-Id', request.requestId];
  if (score) {
    headers.push('X-Gatekeeper-Score', String(score.trust), 'X-Gatekeeper-Risk-Level', score.riskLevel);
  }
  headers.push('X-Gatekeeper-Action', action);
  if (mode === 'monitor') headers.push('X-Gatekeeper-Monitor', wantedAction);
  if (degraded) headers.push('X-Gatekeeper-Degraded', 'true');
  headers.push('X-Gatekeeper-Assertion', signer.sign(assertionClaims(request, verdict)));
  return headers;
}

/** Null where there is no decision, or no email. */
function assertionClaims(request: AssertedRequest, { mode, score, action }: Verdict) {
  const issuedAt = Math.floor(request.now / 1_000);
  return {
    iss: 'gatekeeper',
    jti: request.requestId,
    iat: issuedAt,
    exp: issuedAt + ASSERTION_LIFETIME_S,
    score: score?.trust ?? null,
    risk_level: score?.riskLevel ?? null,
    action,
    mode,
    verified: request.verified,
    method: request.method,
    path: request.path,
    email_sha256: request.email === null ? null : hash('sha256', request.email),
    body_sha256: Buffer.isBuffer(request.body) ? hash('sha256', request.body) : request.body.sha256,
  };
}
