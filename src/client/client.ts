import type { Decision, FeedbackLabel, ScoreAnswer, Signup, Usage } from './api-types.generated.ts';
import { callApi } from './call-api.ts';
import { type ClientOptions, readOptions } from './client-options.ts';
import { GatekeeperError } from './gatekeeper-error.ts';
import { invalidRequest } from './problem-error.ts';
import { resultWithoutDecision, type ScoredSignup, type ScoreResult } from './score-result.ts';
import { readIdempotencyKey, renderSignup } from './signup-body.ts';

export type * from './api-types.generated.ts';
export type { ClientOptions, OnError } from './client-options.ts';
export { type ClientErrorCode, GatekeeperError } from './gatekeeper-error.ts';
export { ProblemError } from './problem-error.ts';
export type { FallbackResult, InvalidSignup, ScoredSignup, ScoreResult } from './score-result.ts';

export interface CallOptions {
  /** Ends the call. The promise then rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

export interface ScoreOptions extends CallOptions {
  /**
   * 1 to 255 characters of visible ASCII. The same key and signup get the same answer for 24 hours and count once.
   * Default: a new key for each call, so that its retries count once.
   */
  readonly idempotencyKey?: string | undefined;
}

export interface Client<Result = ScoreResult> {
  /**
   * Scores a signup. Look at `source` to know whether there is a decision. With `onError: 'allow'` or `'deny'`, the
   * promise rejects only when the signal ends the call.
   */
  score(signup: Signup, options?: ScoreOptions): Promise<Result>;
  /**
   * Returns the decision of a request id, with its evidence.
   * @throws {ProblemError} `not_found`
   */
  decision(requestId: string, options?: CallOptions): Promise<Decision>;
  /**
   * Stores whether a signup was legitimate or fraud. Replaces an earlier label.
   * @throws {ProblemError} `not_found`
   */
  feedback(requestId: string, label: FeedbackLabel, options?: CallOptions): Promise<void>;
  /** Returns what the account of the key used this month (UTC). */
  usage(options?: CallOptions): Promise<Usage>;
}

/**
 * A client for the API of Gatekeeper. It needs only `fetch`, so it runs in Node, Deno, Bun and workers. It keeps no
 * connection open, so it needs no `close`.
 * @throws {TypeError} for an invalid option.
 */
export function createClient(options: ClientOptions & { readonly onError: 'throw' }): Client<ScoredSignup>;
export function createClient(options: ClientOptions): Client;
export function createClient(options: ClientOptions): Client {
  const settings = readOptions(options);
  const { onError } = settings;

  async function requestScore(
    signup: Signup,
    { idempotencyKey, signal }: ScoreOptions,
  ): Promise<ScoredSignup> {
    const headers = {
      'content-type': 'application/json',
      'idempotency-key': readIdempotencyKey(idempotencyKey) ?? crypto.randomUUID(),
    };
    const body = renderSignup(signup);
    const answer = await callApi(settings, { method: 'POST', path: 'score-signup', headers, body, signal });
    const score = answer.value as ScoreAnswer;
    checkAnswer(
      ['low', 'medium', 'high'].includes(score?.riskLevel) &&
        Number.isInteger(score.trustScore) &&
        Array.isArray(score.reasons) &&
        typeof score.requestId === 'string',
    );
    const suggestion = answer.headers.get('gatekeeper-suggestion');
    return { ...score, source: 'decision', suggestion, error: null };
  }

  return {
    async score(signup, scoreOptions = {}) {
      try {
        return await requestScore(signup, scoreOptions);
      } catch (error) {
        if (onError === 'throw' || !(error instanceof GatekeeperError)) throw error;
        return resultWithoutDecision(error, onError);
      }
    },
    async decision(requestId, { signal } = {}) {
      const { value } = await callApi(settings, { method: 'GET', path: decisionPath(requestId), signal });
      const decision = value as Decision;
      checkAnswer(typeof decision?.requestId === 'string' && Array.isArray(decision.factors));
      return decision;
    },
    async feedback(requestId, label, { signal } = {}) {
      const path = `${decisionPath(requestId)}/feedback`;
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify({ label });
      const { value } = await callApi(settings, { method: 'POST', path, headers, body, signal });
      checkAnswer(value === undefined);
    },
    async usage({ signal } = {}) {
      const { value } = await callApi(settings, { method: 'GET', path: 'usage', signal });
      const usage = value as Usage;
      checkAnswer(typeof usage?.plan === 'string' && Array.isArray(usage.days));
      return usage;
    },
  };
}

/** A path such as `..` would lead to another route, so only a request id is sent. */
function decisionPath(requestId: string): string {
  if (typeof requestId !== 'string' || !/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(requestId)) {
    throw invalidRequest([
      { pointer: '/request_id', detail: 'must be the request id of a decision, a UUID' },
    ]);
  }
  return `decisions/${requestId}`;
}

function checkAnswer(isExpected: boolean): void {
  if (isExpected) return;
  const message = 'The answer does not come from Gatekeeper. Check that url is the URL of the API.';
  throw new GatekeeperError('unexpected_answer', message, { status: 200 });
}
