import type { preHandlerAsyncHookHandler } from 'fastify';
import { prepareAnswer } from './framework-answer.ts';
import type { Gatekeeper } from './gatekeeper.ts';
import { createRequestJudge } from './judge-request.ts';
import type { MiddlewareOptions } from './middleware-options.ts';
import type { SignupDecision } from './signup-score.ts';

export type { MiddlewareOptions, SignupDecision };

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `judgeSignup`; undefined when the request is not a signup. */
    gatekeeper?: SignupDecision | undefined;
  }
}

/**
 * A `preHandler` hook that judges the signups of its route. The handler finds the decision in `request.gatekeeper`; a
 * refused signup does not reach it.
 * @throws TypeError when an option is wrong.
 */
export function judgeSignup(gatekeeper: Gatekeeper, options?: MiddlewareOptions): preHandlerAsyncHookHandler {
  const judge = createRequestJudge(gatekeeper, options);
  return async (request, reply) => {
    const outcome = await judge({ request: request.raw, parsedBody: request.body });
    if (outcome.kind === 'forward') {
      if (outcome.decision) request.gatekeeper = outcome.decision;
      return;
    }
    if (outcome.kind === 'gone') {
      reply.hijack();
      return reply;
    }
    const { status, headers, body } = await prepareAnswer(request.raw, outcome.reply);
    return reply.code(status).headers(headers).send(body);
  };
}
