import type { IncomingMessage } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { Context, MiddlewareHandler } from 'hono';
import { prepareAnswer } from './framework-answer.ts';
import type { Gatekeeper } from './gatekeeper.ts';
import { createRequestJudge } from './judge-request.ts';
import type { MiddlewareOptions } from './middleware-options.ts';
import { wasRead } from './read-signup-request.ts';
import type { SignupDecision } from './signup-score.ts';

export type { MiddlewareOptions, SignupDecision };

/** The environment of handlers after `judgeSignup`. */
export interface GatekeeperEnv {
  Variables: {
    /** Undefined when the request is not a signup. */
    gatekeeper: SignupDecision | undefined;
  };
}

/**
 * Judges the signups of the route where it is mounted, on `@hono/node-server`. The handler finds the decision with
 * `context.get('gatekeeper')`; a refused signup does not reach it.
 * @throws TypeError when an option is wrong.
 */
export function judgeSignup(
  gatekeeper: Gatekeeper,
  options?: MiddlewareOptions,
): MiddlewareHandler<GatekeeperEnv> {
  const judge = createRequestJudge(gatekeeper, options);
  return async (context, next) => {
    const { incoming: request } = (context.env ?? {}) as { readonly incoming?: IncomingMessage };
    if (!request)
      throw new Error(
        'judgeSignup: the app must run on @hono/node-server, which gives the address of the sender',
      );
    const parsedBody = await parsedBodyOf(context, request);
    const webBody = parsedBody === undefined ? await copyWebBody(context, request) : null;
    const outcome = await judge({ request, parsedBody, webBody });
    if (outcome.kind === 'gone') return new Response(null, { status: 499 });
    if (outcome.kind === 'answer') {
      const { status, headers, body } = await prepareAnswer(request, outcome.reply);
      return new Response(body, { status, headers });
    }
    if (outcome.decision) context.set('gatekeeper', outcome.decision);
    await next();
  };
}

/** The body that an earlier handler has read, from the memory of Hono. Undefined when the body is still unread. */
async function parsedBodyOf({ req }: Context, request: IncomingMessage): Promise<unknown> {
  if (!wasRead(request)) return undefined;
  const { json, text, arrayBuffer, formData } = req.bodyCache;
  if (formData !== undefined) return fieldsOf(await formData);
  if (json !== undefined) return await json;
  if (text !== undefined) return await text;
  return arrayBuffer === undefined ? undefined : Buffer.from(await arrayBuffer);
}

/**
 * An earlier handler that looked at `context.req.raw.body`, as `bodyLimit` does, has moved the body into a web stream.
 * Reading it from the request would then give the later reader every byte twice. `@hono/node-server` starts to read in
 * the same tick, so one tick later it shows. Null: the body is still in the request, or it was read and not kept.
 */
async function copyWebBody(
  { req: { raw } }: Context,
  request: IncomingMessage,
): Promise<ReadableStream<Uint8Array> | null> {
  await setImmediate();
  const isMoved = wasRead(request) || request.listenerCount('data') > 0;
  return !isMoved || raw.bodyUsed || raw.body?.locked ? null : raw.clone().body;
}

/** Several fields with one name become a list. A list is refused where the email is expected. */
function fieldsOf(form: FormData): Record<string, unknown> {
  return Object.fromEntries(
    [...new Set(form.keys())].map((name) => {
      const values = form.getAll(name);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
}
