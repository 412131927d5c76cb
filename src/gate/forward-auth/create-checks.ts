import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../clock.ts';
import { ProblemError } from '../../http/problem.ts';
import { sendReply } from '../../http/reply.ts';
import { createRequestId } from '../../http/request-id.ts';
import type { Logger } from '../../telemetry/logger.ts';
import { problemAnswer } from '../answers.ts';
import type { FormVisits } from '../form-visits/form-visits.ts';
import type { Forward } from '../gated-request.ts';
import type { InterceptedRequest } from '../intercept.ts';
import type { MatchedRoutes, RouteMatch } from '../routes/match-routes.ts';
import type { GateSettings } from '../settings.ts';
import { isConditional } from '../signup-body/conditions.ts';
import { peerOf } from '../transport/upstream-request.ts';
import { type Check, readCheck } from './read-check.ts';

export interface CheckDependencies {
  /** Matches the original request; null when the server is overloaded and the sender has its answer. */
  readonly admit: (
    request: IncomingMessage,
    response: ServerResponse,
    settings: GateSettings,
  ) => RouteMatch | null;
  readonly intercept: (intercepted: InterceptedRequest) => Promise<void>;
  readonly formVisits: Pick<FormVisits, 'begin'>;
  readonly clock: Clock;
  readonly log: Logger;
}

const NO_BODY =
  'The check has no body. Let the proxy send the body with the check, or make the gate the upstream of the proxy';
/** Clients can cause these lines, and an ordinary POST may have no body. */
const REPORT_EVERY_MS = { refused: 60_000, withoutBody: 86_400_000 };
const PARTIAL = 'The proxy sent only the beginning of the body';

/**
 * Answers a proxy that asks whether it may forward a request: 200 with the headers for the app, or the answer that
 * the client would get from the gate. Envoy accepts only status 200. The upstream receives only held signups after
 * their verification.
 */
export function createChecks({ admit, intercept, formVisits, clock, log }: CheckDependencies) {
  const reportAt = { refused: 0, withoutBody: 0 };

  return (request: IncomingMessage, response: ServerResponse, settings: GateSettings): void => {
    const receivedAt = clock();
    const requestId = createRequestId(receivedAt);
    const check = read(request, response, { settings, requestId });
    if (check === null) return;
    const match = admit(request, response, settings);
    if (match === null) return;
    const forward: Forward = async (_request, _response, { headers = [] } = {}) => {
      const onward = check.accelRedirect === null ? [] : ['X-Accel-Redirect', check.accelRedirect];
      sendReply(request, response, { status: 200, headers: [...headers, ...onward], body: '' });
      return { status: 200, sent: false, problem: null };
    };
    if (match.kind === 'pass') {
      // The proxy gets the answer of the app, not the gate.
      formVisits.begin(request, settings)?.(200);
      void forward(request, response);
    } else if (match.kind === 'own') {
      // The proxy must send these paths to the gate. The app never receives them.
      sendReply(request, response, problemAnswer(notFound(), { request, requestId, settings }));
    } else {
      const readable = withBody(match, request, check);
      void intercept({ request, response, match: readable, settings, requestId, receivedAt, forward });
    }
  };

  function read(
    request: IncomingMessage,
    response: ServerResponse,
    { settings, requestId }: { readonly settings: GateSettings; readonly requestId: string },
  ): Check | null {
    try {
      return readCheck(request, peerOf(request, settings.trust), settings.checkToken);
    } catch (error) {
      // Any other error is a bug.
      if (!(error instanceof ProblemError)) throw error;
      // While checks are off, no proxy of this site sends checks, so the log has no line.
      if (settings.checkToken !== null) report('refused', `a check was refused: ${error.message}`);
      sendReply(request, response, problemAnswer(error, { request, requestId, settings }));
      return null;
    }
  }

  /** A signup cannot be judged without its body. A request that is only a possible signup often has no body. */
  function withBody(match: MatchedRoutes, request: IncomingMessage, { isPartial }: Check): MatchedRoutes {
    const { candidates, budget } = match;
    if (isPartial) return { kind: 'refuse', why: PARTIAL, candidates, budget };
    if (request.method !== 'POST' || hasBody(request)) return match;
    report(
      'withoutBody',
      'a proxy asked about a POST without a body; if it never sends the body, the gate sees no email: see docs/proxies.md',
    );
    return candidates.every(isConditional) ? match : { kind: 'refuse', why: NO_BODY, candidates, budget };
  }

  function report(kind: keyof typeof reportAt, message: string): void {
    const now = clock();
    if (now < reportAt[kind]) return;
    reportAt[kind] = now + REPORT_EVERY_MS[kind];
    log.warn({}, message);
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function notFound(): ProblemError {
  return new ProblemError('not_found', 'This page does not exist.');
}
