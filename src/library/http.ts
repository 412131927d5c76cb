import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { internalError } from '../http/problem.ts';
import { problemReply, sendReply } from '../http/reply.ts';
import type { Gatekeeper } from './gatekeeper.ts';
import { createRequestJudge, type SignupOutcome } from './judge-request.ts';
import type { MiddlewareOptions } from './middleware-options.ts';
import type { SignupDecision } from './signup-score.ts';

export type { MiddlewareOptions, SignupDecision };

/** A request that a handler of `judgeSignup` receives. Its body can be read as usual. */
export interface JudgedRequest extends IncomingMessage {
  /** Undefined when the request is not a signup. */
  gatekeeper?: SignupDecision | undefined;
}

export type SignupHandler<Response extends ServerResponse = ServerResponse> = (
  request: JudgedRequest,
  response: Response,
) => unknown;

/**
 * Puts the judge around a handler of `node:http`. A refused signup does not reach the handler.
 * @returns a handler; its promise rejects when the handler throws.
 * @throws TypeError when an option is wrong.
 */
export function judgeSignup(
  gatekeeper: Gatekeeper,
  handler: SignupHandler,
  options?: MiddlewareOptions,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  if (typeof handler !== 'function')
    throw new TypeError('judgeSignup: the second argument must be the handler');
  const judge = createRequestJudge(gatekeeper, options);
  return async (request: JudgedRequest, response) => {
    const outcome = await judge({ request, parsedBody: undefined }).catch(toAnswer);
    if (outcome.kind === 'answer') sendReply(request, response, outcome.reply);
    if (outcome.kind !== 'forward') return;
    if (outcome.decision) request.gatekeeper = outcome.decision;
    await handler(request, response);
  };
}

/** Frameworks answer such an error themselves. The log has it. */
function toAnswer(): SignupOutcome {
  return { kind: 'answer', reply: problemReply(internalError(), randomUUID()) };
}
