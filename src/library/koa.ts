import type { Middleware } from 'koa';
import { prepareAnswer } from './framework-answer.ts';
import type { Gatekeeper } from './gatekeeper.ts';
import { createRequestJudge } from './judge-request.ts';
import type { MiddlewareOptions } from './middleware-options.ts';
import type { SignupDecision } from './signup-score.ts';

export type { MiddlewareOptions, SignupDecision };

/** The part of `context.state` that `judgeSignup` sets. */
export interface GatekeeperState {
  /** Undefined when the request is not a signup. */
  gatekeeper?: SignupDecision | undefined;
}

/**
 * Judges the signups of the route where it is mounted. The handler finds the decision in `context.state.gatekeeper`; a
 * refused signup does not reach it.
 * @throws TypeError when an option is wrong.
 */
export function judgeSignup(
  gatekeeper: Gatekeeper,
  options?: MiddlewareOptions,
): Middleware<GatekeeperState> {
  const judge = createRequestJudge(gatekeeper, options);
  return async (context, next) => {
    const { body: parsedBody } = context.request as { readonly body?: unknown };
    const outcome = await judge({ request: context.req, parsedBody });
    if (outcome.kind === 'gone') {
      context.respond = false;
    } else if (outcome.kind === 'answer') {
      const { status, headers, body } = await prepareAnswer(context.req, outcome.reply);
      context.status = status;
      context.set({ ...headers });
      context.body = body;
    } else {
      if (outcome.decision) context.state.gatekeeper = outcome.decision;
      await next();
    }
  };
}
