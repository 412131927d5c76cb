import type { IncomingMessage, RequestListener } from 'node:http';
import Router from '@koa/router';
import Koa, { type Context } from 'koa';
import { internalError, ProblemError } from '../http/problem.ts';
import { BodyAbortedError } from '../http/read-body.ts';
import { problemReply, type Reply, sendReply } from '../http/reply.ts';
import { createRequestId } from '../http/request-id.ts';
import { createFailureLog } from '../telemetry/failure-log.ts';
import { traceRequests } from '../telemetry/trace-requests.ts';
import type { Tracer } from '../telemetry/tracer.ts';
import { createApiTurns } from './api-turns.ts';
import { createDecisionRoutes } from './decisions.ts';
import { describeReady } from './describe-ready.ts';
import type { ApiDependencies, Exchange } from './exchange.ts';
import { findMeantPath } from './near-names.ts';
import { openApiDocument } from './openapi.ts';
import { createOwnPages } from './own-pages.ts';
import { createScoreSignup } from './score-signup.ts';
import { createUsageRoute } from './usage.ts';

/** The HTTP API: scoring, decisions, usage and health. */
export interface Api {
  readonly handler: RequestListener;
  /** Whether a request target belongs to the API. A listener that serves the API and the gate asks this. */
  answers(target: string): boolean;
}

interface ApiState {
  exchange: Exchange;
  /** The answer of the route. */
  reply: Reply;
}

const SCORE_SIGNUP = '/score-signup';
const JSON_TYPE = ['Content-Type', 'application/json'];

/**
 * The API as a Koa app. Two shortcuts halve the cost of a request: each answer is written in one piece instead of by
 * Koa's `ctx.body`, and scoring bypasses the router.
 */
export function createApi(dependencies: ApiDependencies): Api {
  const { log, metrics, tracer = null } = dependencies;
  const scoreSignup = createScoreSignup(dependencies);
  const router = createRouter(dependencies, scoreSignup);
  const routes = router.routes();
  const ownPages = createOwnPages();
  const turns = createApiTurns(dependencies);
  const recordsFailures = createFailureLog(log, 'the records do not answer');

  async function answer(context: Context): Promise<void> {
    context.respond = false;
    const { req: request, res: response } = context;
    const receivedAt = dependencies.clock();
    const exchange = { request, response, requestId: createRequestId(receivedAt), receivedAt };
    let reply: Reply;
    let code = 'ok';
    try {
      await turns.refuseAboveLimit(request, response);
      if (request.url === SCORE_SIGNUP && request.method === 'POST') reply = await scoreSignup(exchange);
      else reply = await answerRoute(context, exchange);
    } catch (error) {
      if (error instanceof BodyAbortedError) return;
      const problem = toProblem(error, exchange);
      code = problem.code;
      reply = problemReply(problem, exchange.requestId);
    }
    send(exchange, reply);
    metrics.answered(reply.status, code);
    if (tracer) nameSpan(context, exchange, { code, tracer });
    logAccess(context, exchange, reply.status);
  }

  async function answerRoute(context: Context, exchange: Exchange): Promise<Reply> {
    context.url = originForm(context.url);
    const ownPage = Object.hasOwn(ownPages, context.path) ? ownPages[context.path] : undefined;
    if (ownPage && (context.method === 'GET' || context.method === 'HEAD')) return ownPage(exchange.request);
    const matched = router.match(context.path, context.method);
    if (!matched.route) {
      const allowed = [...new Set(matched.path.flatMap(({ methods }) => methods)), 'OPTIONS'].join(', ');
      if (context.method === 'OPTIONS' && (matched.path.length > 0 || context.path === '*')) {
        return { status: 204, headers: ['Allow', allowed], body: null };
      }
      if (matched.path.length === 0) throw new ProblemError('not_found', noSuchRoute(context.path));
      throw new ProblemError('method_not_allowed', `Allowed here: ${allowed}.`, {
        headers: ['Allow', allowed],
      });
    }
    const state = context.state as ApiState;
    state.exchange = exchange;
    await routes(context as Parameters<typeof routes>[0], async () => {});
    return state.reply;
  }

  /** An error that the caller did not cause becomes `internal_error`. Only the log gets the cause. */
  function toProblem(error: unknown, { requestId }: Exchange): ProblemError {
    if (!(error instanceof ProblemError)) {
      log.error({ err: error, request_id: requestId }, 'a request failed');
      return internalError();
    }
    if (error.cause) recordsFailures.failed(error.cause, requestId);
    return error;
  }

  function logAccess(context: Context, { requestId, receivedAt }: Exchange, status: number): void {
    if (!log.isLevelEnabled('debug')) return;
    const { method } = context;
    const ms = dependencies.clock() - receivedAt;
    log.debug({ request_id: requestId, method, route: routeOf(context), status, ms }, 'answered');
  }

  // The environment is set here, so that Koa does not read it from the process.
  const app = new LeanKoa({ env: 'production' });
  app.use(answer);
  app.on('error', (error: unknown) => log.error({ err: error }, 'an answer could not be written'));
  const handler = app.callback();
  const isTrusted = ({ socket }: IncomingMessage) => tracer?.trusts(socket.remoteAddress ?? '') ?? false;
  return {
    handler: turns.inTurns(tracer ? traceRequests(handler, { tracer, door: 'api', isTrusted }) : handler),
    answers: (target) => {
      const path = originForm(target).split('?', 1)[0] ?? '';
      return router.match(path, 'GET').path.length > 0;
    },
  };
}

/**
 * Koa without its last steps: here the middleware writes every answer and catches every error. Koa would watch the end
 * of each response, which costs 4 of the 85 µs of a scoring.
 */
class LeanKoa extends Koa {
  handleRequest(context: Context, middleware: (context: Context) => Promise<void>): Promise<void> {
    return middleware(context).catch((error: unknown) => {
      context.res.destroy();
      this.emit('error', error);
    });
  }
}

/** The route, not the path, because a path can hold any text. */
function routeOf({ url, _matchedRoute }: Context): string | null {
  if (typeof _matchedRoute === 'string') return _matchedRoute;
  return url === SCORE_SIGNUP ? SCORE_SIGNUP : null;
}

function nameSpan(
  context: Context,
  { requestId }: Exchange,
  { code, tracer }: { readonly code: string; readonly tracer: Tracer },
): void {
  const route = routeOf(context);
  const span = tracer.requestSpan();
  span?.set({ 'gatekeeper.request_id': requestId, ...(code !== 'ok' && { 'gatekeeper.problem': code }) });
  if (route === null) return;
  span?.set({ 'http.route': route });
  span?.rename(`${context.method} ${route}`);
}

function createRouter(dependencies: ApiDependencies, scoreSignup: (exchange: Exchange) => Promise<Reply>) {
  const decisions = createDecisionRoutes(dependencies);
  const usage = createUsageRoute(dependencies);
  const openApi = JSON.stringify(openApiDocument());
  // Strict and case-sensitive: each route has one spelling, so that a proxy in front of the API reads the same path.
  const router = new Router<ApiState>({ strict: true, sensitive: true });
  const idOf = (params: Readonly<Record<string, string>>) => params.request_id ?? '';

  router.post(SCORE_SIGNUP, async ({ state }) => {
    state.reply = await scoreSignup(state.exchange);
  });
  router.get('/decisions/:request_id', async ({ state, params }) => {
    state.reply = await decisions.find(state.exchange, idOf(params));
  });
  router.post('/decisions/:request_id/feedback', async ({ state, params }) => {
    state.reply = await decisions.label(state.exchange, idOf(params));
  });
  router.get('/usage', async ({ state }) => {
    state.reply = await usage(state.exchange);
  });
  router.get('/openapi.json', ({ state }) => {
    state.reply = { status: 200, headers: JSON_TYPE, body: openApi };
  });
  router.get('/livez', ({ state }) => {
    state.reply = { status: 200, headers: JSON_TYPE, body: '{"status":"ok"}' };
  });
  router.get('/readyz', async ({ state }) => {
    const readiness = await dependencies.readiness();
    if (!readiness.ready) {
      throw new ProblemError(readiness.draining ? 'shutting_down' : 'overloaded', readiness.because, {
        retryAfterSeconds: 1,
      });
    }
    state.reply = { status: 200, headers: JSON_TYPE, body: describeReady(readiness) };
  });
  return router;
}

/** The detail of a 404, with the route that was probably meant. */
function noSuchRoute(path: string): string {
  const meant = findMeantPath(path, [SCORE_SIGNUP, '/usage', '/docs', '/openapi.json', '/livez', '/readyz']);
  return `The API has no such route.${meant === null ? '' : ` Did you mean ${meant}?`} GET /docs lists all routes.`;
}

/** The target without scheme and authority (RFC 9112 section 3.2.2). Koa's URL parser throws at some forms of it. */
function originForm(target: string): string {
  if (target.startsWith('/') || target === '*') return target;
  const path = target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '');
  return path.startsWith('/') ? path : `/${path}`;
}

function send({ request, response, requestId }: Exchange, reply: Reply): void {
  sendReply(request, response, {
    ...reply,
    headers: [
      ...reply.headers,
      ...['Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff', 'X-Request-Id', requestId],
    ],
  });
}
