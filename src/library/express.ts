import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendReply } from '../http/reply.ts';
import type { Gatekeeper } from './gatekeeper.ts';
import { createRequestJudge } from './judge-request.ts';
import type { MiddlewareOptions } from './middleware-options.ts';
import type { SignupDecision } from './signup-score.ts';

export type { MiddlewareOptions, SignupDecision };

declare global {
  namespace Express {
    interface Request {
      /** Set by `judgeSignup`; undefined when the request is not a signup. */
      gatekeeper?: SignupDecision | undefined;
    }
  }
}

/**
 * Middleware of Express 4 and 5, and of other frameworks with `(request, response, next)`. The type has no `body`:
 * Express would infer the body of the handlers after it, and `request.body.email` would not compile.
 */
export type ExpressMiddleware = (
  request: IncomingMessage & { gatekeeper?: SignupDecision | undefined },
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/**
 * Judges the signups of the route where it is mounted. The handler finds the decision in `request.gatekeeper`; a refused
 * signup does not reach it.
 * @throws TypeError when an option is wrong.
 */
export function judgeSignup(gatekeeper: Gatekeeper, options?: MiddlewareOptions): ExpressMiddleware {
  const judge = createRequestJudge(gatekeeper, options);
  return (request, response, next) => {
    const { body: parsedBody } = request as { readonly body?: unknown };
    judge({ request, parsedBody }).then((outcome) => {
      if (outcome.kind === 'answer') sendReply(request, response, outcome.reply);
      if (outcome.kind !== 'forward') return;
      if (outcome.decision) request.gatekeeper = outcome.decision;
      next();
    }, next);
  };
}
