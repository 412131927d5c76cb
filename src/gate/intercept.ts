import type { ServerResponse } from 'node:http';
import { internalError, ProblemError } from '../http/problem.ts';
import { BodyAbortedError } from '../http/read-body.ts';
import { sendReply } from '../http/reply.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { GateMetrics } from '../telemetry/metrics.ts';
import type { Replay } from '../verification/replay.ts';
import type { Verification } from '../verification/verification.ts';
import { type RequestRef, unreadAnswer } from './answers.ts';
import type { createEnforcement } from './enforce.ts';
import type { RouteMatch } from './routes/match-routes.ts';
import type { GateSettings } from './settings.ts';
import { peerOf, upstreamTarget } from './transport/upstream-request.ts';

export interface InterceptionDependencies {
  readonly enforce: ReturnType<typeof createEnforcement>;
  readonly verification: Pick<Verification, 'handle'>;
  readonly replay: Replay;
  readonly metrics: Pick<GateMetrics, 'refused'>;
  readonly log: Logger;
}

/** A request that does not simply pass, as it came. */
export interface InterceptedRequest extends RequestRef {
  readonly response: ServerResponse;
  readonly match: Exclude<RouteMatch, { kind: 'pass' }>;
  readonly settings: GateSettings;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
}

/**
 * Takes what does not simply pass: signups on hold, our own paths, and what is refused. Every failure becomes an answer
 * here. A plain function, because a framework would cost a quarter of what judging a signup does, for three steps.
 */
export function createInterception(
  parts: InterceptionDependencies,
): (intercepted: InterceptedRequest) => Promise<void> {
  const { enforce, verification, replay, metrics, log } = parts;
  return async (intercepted) => {
    try {
      await dispatch(intercepted);
    } catch (error) {
      answerFailure(intercepted, error);
    }
  };

  function dispatch(intercepted: InterceptedRequest): Promise<void> {
    const { request, response, requestId, receivedAt, match, settings } = intercepted;
    // Ours, and never the app's.
    if (match.kind === 'own') return verification.handle(request, response, replay);
    const { method = 'POST', url = '/', rawHeaders } = request;
    const target = upstreamTarget(url);
    if (!target) {
      throw new ProblemError('bad_request', 'The target of the request is neither a path nor an HTTP URL.');
    }
    const peer = peerOf(request, settings.trust);
    const message = { method, target: url, rawHeaders, peer };
    const { path } = target;
    return enforce({ request, response, requestId, receivedAt, match, settings, peer, message, path });
  }

  function answerFailure(intercepted: InterceptedRequest, error: unknown): void {
    const { request, response, requestId } = intercepted;
    if (error instanceof BodyAbortedError) return;
    if (response.headersSent) {
      // Half an answer must not look like a whole one.
      response.destroy();
      log.error({ err: error, request_id: requestId }, 'an answer of the gate broke off');
      return;
    }
    const problem = toProblem(error, requestId);
    metrics.refused(problem.code);
    sendReply(request, response, unreadAnswer(problem, intercepted));
  }

  /** Everything that is no problem of the sender's is one of ours, and its cause is for the log alone. */
  function toProblem(error: unknown, requestId: string): ProblemError {
    if (error instanceof ProblemError) {
      log.debug({ request_id: requestId, problem: error.code }, 'a request was refused');
      return error;
    }
    log.error({ err: error, request_id: requestId }, 'a request failed');
    return internalError();
  }
}
