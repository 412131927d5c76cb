import type { IncomingMessage, RequestListener } from 'node:http';
import Koa, { type Context, type Next } from 'koa';
import { ProblemError } from '../http/problem.ts';
import { BodyAbortedError } from '../http/read-body.ts';
import { sendReply } from '../http/reply.ts';
import type { Logger } from '../telemetry/logger.ts';
import { problemAnswer } from './answers.ts';
import type { createEnforcement } from './enforce.ts';
import { upstreamTarget } from './transport/request-target.ts';
import type { Visit } from './visit.ts';

export interface GateAppParts {
  readonly enforce: ReturnType<typeof createEnforcement>;
  readonly log: Logger;
}

interface VisitContext extends Context {
  visit: Visit;
}

/**
 * The gate's own answers as a Koa app: signups on hold, and what is refused. Whatever passes through untouched goes
 * around it. Answers are written beside Koa's `ctx.body`, most of them by the upstream.
 */
export function createGateApp({ enforce, log }: GateAppParts): (visit: Visit) => void {
  const visits = new WeakMap<IncomingMessage, Visit>();

  async function answerProblems(context: VisitContext, next: Next): Promise<void> {
    context.respond = false;
    const visit = visits.get(context.req);
    if (!visit) throw new Error('A request came to the app around the gate.');
    context.visit = visit;
    const { request, response, requestId } = visit;
    try {
      await next();
    } catch (error) {
      if (error instanceof BodyAbortedError) return;
      if (response.headersSent) {
        // Half an answer must not look like a whole one.
        response.destroy();
        log.error({ err: error, request_id: requestId }, 'an answer of the gate broke off');
        return;
      }
      sendReply(request, response, problemAnswer(toProblem(error, requestId), visit));
    }
  }

  /** Ours, and never the app's. */
  async function keepOwnPaths({ visit }: VisitContext, next: Next): Promise<void> {
    if (visit.match.kind === 'own') throw new ProblemError('not_found', 'Gatekeeper has no such page.');
    await next();
  }

  async function enforceRoutes({ visit }: VisitContext): Promise<void> {
    const { match, request } = visit;
    if (match.kind === 'own') return;
    if (!upstreamTarget(request.url ?? '/')) {
      throw new ProblemError('bad_request', 'The target of the request is neither a path nor an HTTP URL.');
    }
    await enforce(visit, match.candidates);
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

  // The environment is named so that Koa does not read it from the process.
  const app = new Koa({ env: 'production' });
  for (const step of [answerProblems, keepOwnPaths, enforceRoutes]) app.use(step as Koa.Middleware);
  app.on('error', (error: unknown) => log.error({ err: error }, 'an answer could not be written'));
  const handle: RequestListener = app.callback();
  return (visit) => {
    visits.set(visit.request, visit);
    handle(visit.request, visit.response);
  };
}
