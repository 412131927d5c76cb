import { ProblemError } from '../http/problem.ts';
import { BodyAbortedError } from '../http/read-body.ts';
import { sendReply } from '../http/reply.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { GateMetrics } from '../telemetry/metrics.ts';
import type { Replay } from '../verification/replay.ts';
import type { Verification } from '../verification/verification.ts';
import { unreadAnswer } from './answers.ts';
import type { createEnforcement } from './enforce.ts';
import { upstreamTarget } from './transport/request-target.ts';
import type { Visit } from './visit.ts';

export interface InterceptionDependencies {
  readonly enforce: ReturnType<typeof createEnforcement>;
  readonly verification: Pick<Verification, 'handle'>;
  readonly replay: Replay;
  readonly metrics: Pick<GateMetrics, 'refused'>;
  readonly log: Logger;
}

/**
 * Takes what does not simply pass: signups on hold, our own paths, and what is refused. Every failure becomes an answer
 * here. A plain function, because a framework would cost a quarter of what judging a signup does, for three steps.
 */
export function createInterception(parts: InterceptionDependencies): (visit: Visit) => Promise<void> {
  const { enforce, verification, replay, metrics, log } = parts;
  return async (visit) => {
    try {
      await dispatch(visit);
    } catch (error) {
      answerFailure(visit, error);
    }
  };

  function dispatch(visit: Visit): Promise<void> {
    const { match, request } = visit;
    // Ours, and never the app's.
    if (match.kind === 'own') return verification.handle(request, visit.response, replay);
    if (!upstreamTarget(request.url ?? '/')) {
      throw new ProblemError('bad_request', 'The target of the request is neither a path nor an HTTP URL.');
    }
    return enforce(visit, match);
  }

  function answerFailure(visit: Visit, error: unknown): void {
    const { request, response, requestId } = visit;
    if (error instanceof BodyAbortedError) return;
    if (response.headersSent) {
      // Half an answer must not look like a whole one.
      response.destroy();
      log.error({ err: error, request_id: requestId }, 'an answer of the gate broke off');
      return;
    }
    const problem = toProblem(error, requestId);
    metrics.refused(problem.code);
    sendReply(request, response, unreadAnswer(problem, visit));
  }

  /** Everything that is no problem of the sender's is one of ours, and its cause is for the log alone. */
  function toProblem(error: unknown, requestId: string): ProblemError {
    if (error instanceof ProblemError) {
      log.debug({ request_id: requestId, problem: error.code }, 'a request was refused');
      return error;
    }
    log.error({ err: error, request_id: requestId }, 'a request failed');
    return new ProblemError(
      'internal_error',
      'The request failed through no fault of yours. It is logged by its id.',
    );
  }
}
