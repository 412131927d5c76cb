import type { ServerResponse } from 'node:http';
import { internalError, ProblemError } from '../http/problem.ts';
import { BodyAbortedError } from '../http/read-body.ts';
import { sendReply } from '../http/reply.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { GateMetrics } from '../telemetry/metrics.ts';
import type { Delivery } from '../verification/delivery.ts';
import type { Verification } from '../verification/verification.ts';
import { type RequestRef, unreadAnswer } from './answers.ts';
import type { Enforcement } from './enforce.ts';
import type { Forward } from './gated-request.ts';
import type { RouteMatch } from './routes/match-routes.ts';
import type { GateSettings } from './settings.ts';
import { peerOf, upstreamTarget } from './transport/upstream-request.ts';
import type { PassingBody } from './watch/watch-passing.ts';

export interface InterceptionDependencies {
  readonly enforce: Enforcement['enforce'];
  readonly verification: Pick<Verification, 'handle'>;
  readonly delivery: Delivery;
  readonly metrics: Pick<GateMetrics, 'refused'>;
  readonly log: Logger;
}

/** A request that does not simply pass through, as it arrived. */
export interface InterceptedRequest extends RequestRef {
  readonly response: ServerResponse;
  readonly match: Exclude<RouteMatch, { kind: 'pass' }>;
  readonly settings: GateSettings;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
  readonly forward: Forward;
  readonly passing?: PassingBody | null;
}

/**
 * Handles the requests that do not simply pass through: gated signups, Gatekeeper's own paths, and requests to refuse.
 * Every failure becomes an answer here. A plain function: for three steps, a framework would cost a quarter of the time
 * for judging a signup.
 */
export function createInterception(
  dependencies: InterceptionDependencies,
): (intercepted: InterceptedRequest) => Promise<void> {
  const { enforce, verification, delivery, metrics, log } = dependencies;
  return async (intercepted) => {
    try {
      await dispatch(intercepted);
    } catch (error) {
      answerFailure(intercepted, error);
    }
  };

  function dispatch(intercepted: InterceptedRequest): Promise<void> {
    const {
      request,
      response,
      requestId,
      receivedAt,
      match,
      settings,
      forward,
      passing = null,
    } = intercepted;
    // Paths of Gatekeeper never reach the app.
    if (match.kind === 'own') return verification.handle(request, response, delivery);
    const { method = 'POST', url = '/', rawHeaders } = request;
    const target = upstreamTarget(url);
    if (!target) {
      throw new ProblemError('bad_request', 'The target of the request is neither a path nor an HTTP URL.');
    }
    const peer = peerOf(request, settings.trust);
    const message = { method, target: url, rawHeaders, peer };
    const { path } = target;
    return enforce({
      request,
      sender: request,
      response,
      requestId,
      receivedAt,
      match,
      settings,
      peer,
      message,
      path,
      forward,
      passing,
    });
  }

  function answerFailure(intercepted: InterceptedRequest, error: unknown): void {
    const { request, response, requestId } = intercepted;
    if (error instanceof BodyAbortedError) return;
    if (response.headersSent) {
      // A client must not treat a partial answer as complete.
      response.destroy();
      log.error({ err: error, request_id: requestId }, 'an answer of the gate broke off');
      return;
    }
    const problem = toProblem(error, requestId);
    metrics.refused(problem.code);
    sendReply(request, response, unreadAnswer(problem, intercepted));
  }

  /** An error that the sender did not cause becomes `internal_error`. Only the log gets the cause. */
  function toProblem(error: unknown, requestId: string): ProblemError {
    if (error instanceof ProblemError) {
      log.debug({ request_id: requestId, problem: error.code }, 'a request was refused');
      return error;
    }
    log.error({ err: error, request_id: requestId }, 'a request failed');
    return internalError();
  }
}
