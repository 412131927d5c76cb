import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { type LagMonitor, REFUSE_LATE_AFTER_MS, runFirstNow, runInTurn } from '../http/event-loop.ts';
import { ProblemError } from '../http/problem.ts';
import { sendReply } from '../http/reply.ts';
import { hasForwardingHeader } from '../http/request-head.ts';
import { createRequestId } from '../http/request-id.ts';
import type { Upgrades } from '../http/upgrade-requests.ts';
import type { Tracer } from '../telemetry/tracer.ts';
import type { ReviewDependencies } from '../verification/review.ts';
import type { Verification } from '../verification/verification.ts';
import { problemAnswer, unreadAnswer } from './answers.ts';
import { createCorrection } from './correction.ts';
import { createEnforcement, type EnforcementDependencies } from './enforce.ts';
import type { FormVisits } from './form-visits/form-visits.ts';
import { createChecks } from './forward-auth/create-checks.ts';
import { createInterception } from './intercept.ts';
import { createMissingEmails, type MissingEmail } from './missing-emails.ts';
import { createReplay, createReviewedReplay } from './replay.ts';
import { isCheck, type RouteMatch } from './routes/match-routes.ts';
import type { RouteCandidate } from './routes/route-table.ts';
import type { CurrentSettings, GateSettings } from './settings.ts';
import { traceIntercepted } from './trace-gate.ts';
import type { Transport } from './transport/transport.ts';
import { peerOf, senderName } from './transport/upstream-request.ts';
import { createUnjudgedSignups, type UnjudgedSignup } from './watch/unjudged-signups.ts';
import { createPassingWatch, type PassingBody, type PassingWatch } from './watch/watch-passing.ts';

/** Door 2: a reverse proxy that judges signups and passes all other requests through. */
export interface Gate {
  readonly handler: RequestListener;
  readonly upgrades: Upgrades;
  /** Names the sender of a request, who takes turns with others. */
  senderOf(request: IncomingMessage): string;
  /**
   * Whether requests carry forwarding headers although no proxy is trusted. Then all clients seem to have the same
   * address.
   */
  seesUntrustedForwarding(): boolean;
  /**
   * Requests that looked like a signup and were not judged, grouped by method and path; the most frequent group first.
   */
  unjudgedSignups(): readonly UnjudgedSignup[];
  /** Signups without an email at the place of their route, grouped by their fields. */
  missingEmails(): readonly MissingEmail[];
  /** Sends a signup to the app after the staff has accepted it. */
  readonly replayReviewed: ReviewDependencies['replay'];
}

export interface GateDependencies extends Omit<EnforcementDependencies, 'missingEmails' | 'formVisits'> {
  readonly settings: CurrentSettings;
  readonly transport: Pick<Transport, 'forward' | 'upgrade' | 'isIdle'>;
  readonly verification: Pick<Verification, 'hold' | 'takePass' | 'handle'>;
  readonly lag: Pick<LagMonitor, 'isOverloaded' | 'isLate'>;
  readonly formVisits: FormVisits;
  /** Left out, or null: no traces. */
  readonly tracer?: Tracer | null;
}

/** The functions that observe a request which passes. */
interface Passing {
  readonly body: PassingBody | null;
  readonly visit: ReturnType<FormVisits['begin']>;
}

/**
 * When the event loop lags by this multiple of its limit, requests of this kind are refused. The most expensive kind is
 * refused first, so the app stays reachable as long as possible. Requests that the routes refuse were expensive to
 * read, so they belong to this kind.
 */
const SHED_AT: Readonly<Record<RouteMatch['kind'], number>> = { gated: 1, refuse: 1, own: 2, pass: 5 };

/** The work for a page of the gate, which asks the records, in units of `runInTurn`. */
const OWN_UNITS = 8;

/** Builds the gate. All other requests go straight to the transport. */
export function createGate(dependencies: GateDependencies): Gate {
  const { settings: live, transport, verification, lag, formVisits, metrics, clock, log } = dependencies;
  const missingEmails = createMissingEmails({ metrics, clock, log });
  const { enforce, enforceRead } = createEnforcement({ ...dependencies, missingEmails });
  const { tracer = null } = dependencies;
  const interception = createInterception({
    enforce,
    verification,
    delivery: {
      replay: createReplay({ transport, settings: live, clock }),
      correct: createCorrection({ transport, enforceRead, settings: live, clock }),
    },
    metrics,
    log,
  });
  const intercept = tracer ? traceIntercepted(interception, tracer) : interception;
  let untrustedForwarding = false;
  const unjudged = createUnjudgedSignups(clock);
  let watch: { readonly settings: GateSettings; readonly passing: PassingWatch | null } | null = null;

  function watchOf(settings: GateSettings): PassingWatch | null {
    if (watch?.settings === settings) return watch.passing;
    const { watchedRoutes } = settings;
    watch = {
      settings,
      passing: watchedRoutes && createPassingWatch(watchedRoutes, { unjudged, metrics, clock, log }),
    };
    return watch.passing;
  }

  const answerCheck = createChecks({ admit, intercept, formVisits, clock, log });
  const { forward } = transport;

  /** All requests of a turn are handled in one batch, which makes each a quarter cheaper. */
  const handler: RequestListener = (request, response) => {
    const begin = transport.isIdle() ? runFirstNow : runInTurn;
    begin(
      inContext(() => handleNow(request, response)),
      () => senderOf(request),
      1,
    );
  };
  const inContext = (act: () => void) => (tracer ? AsyncResource.bind(act) : act);

  const handleNow: RequestListener = (request, response) => {
    const settings = live.current;
    if (isCheck(request.url ?? '/')) {
      answerCheck(request, response, settings);
      return;
    }
    const match = admit(request, response, settings);
    if (match === null) return;
    if (!untrustedForwarding) noteForwarding(request, settings);
    if (match.kind === 'pass') {
      const body = watchOf(settings)?.begin(request) ?? null;
      const visit = formVisits.begin(request, settings);
      pass(request, response, { body, visit });
      return;
    }
    const receivedAt = clock();
    const requestId = createRequestId(receivedAt);
    const passing = isBelowOnly(match) ? (watchOf(settings)?.begin(request) ?? null) : null;
    const begin = () =>
      void intercept({ request, response, match, settings, requestId, receivedAt, forward, passing });
    if (match.kind === 'own') runInTurn(inContext(begin), () => senderOf(request), OWN_UNITS);
    else begin();
  };

  /** Null when the server is overloaded and the sender has received its answer. */
  function admit(
    request: IncomingMessage,
    response: ServerResponse,
    settings: GateSettings,
  ): RouteMatch | null {
    const { method = 'GET', url: target = '/', rawHeaders } = request;
    const match = settings.matcher.match({ method, target, rawHeaders });
    metrics.came(match.kind);
    const isOverloaded = lag.isOverloaded(SHED_AT[match.kind]);
    const isLate = match.kind === 'gated' && lag.isLate(() => senderOf(request));
    if (!isOverloaded && !isLate) return match;
    metrics.shed(match.kind);
    const ref = { request, requestId: createRequestId(clock()), settings };
    const answer = match.kind === 'gated' ? unreadAnswer : problemAnswer;
    const reply = answer(overloaded(), ref);
    if (isOverloaded) {
      sendReply(request, response, reply);
    } else {
      response.shouldKeepAlive = false;
      setTimeout(() => sendReply(request, response, reply), REFUSE_LATE_AFTER_MS);
    }
    return null;
  }

  function senderOf(request: IncomingMessage): string {
    const { trust } = live.current;
    return senderName(peerOf(request, trust), request.rawHeaders, trust);
  }

  function pass(request: IncomingMessage, response: ServerResponse, { body, visit }: Passing): void {
    if (body === null && visit === null) void transport.forward(request, response);
    else
      void transport
        .forward(request, response, { ...(body && { onBody: body.look }), ...(visit && { onAnswer: visit }) })
        .then(({ status }) => body?.answered(status));
  }

  /** Logs one warning for the process, not one for each request. */
  function noteForwarding({ rawHeaders }: IncomingMessage, { trust }: GateSettings): void {
    if (trust.trustedProxies.length > 0 || !hasForwardingHeader(rawHeaders)) return;
    untrustedForwarding = true;
    log.warn(
      { header: trust.clientIpHeader },
      'REQUESTS COME THROUGH A PROXY THAT IS NOT TRUSTED: every visitor has the address of that proxy, and all of them ' +
        'are counted as one. Name its network under proxy.trusted_proxies, and its header under proxy.client_ip_header',
    );
  }

  return {
    handler,
    upgrades: {
      // Matched as if the method could be a signup: a gated route accepts no WebSocket, whatever its method. If the
      // loop lags, the request is refused like any ordinary request.
      accepts: (request) =>
        !isCheck(request.url ?? '/') &&
        !lag.isOverloaded(SHED_AT.pass) &&
        live.current.matcher.match({
          method: 'POST',
          target: request.url ?? '/',
          rawHeaders: request.rawHeaders,
        }).kind === 'pass',
      join: (request, socket, head) => transport.upgrade(request, socket, head),
    },
    senderOf,
    unjudgedSignups: unjudged.list,
    missingEmails: missingEmails.list,
    replayReviewed: createReviewedReplay({ transport, settings: live, clock }),
    seesUntrustedForwarding: () => untrustedForwarding && live.current.trust.trustedProxies.length === 0,
  };
}

/**
 * Whether the request is for a path below those that the routes name (`/**`). Then the condition of a route does not mean
 * that the operator knows the forms there. A route for `/graphql/**` means that he knows those at `/graphql`, such as a login.
 */
function isBelowOnly(match: RouteMatch): boolean {
  return match.kind === 'gated' && match.candidates.every(isBelow);
}

function isBelow({ route, pathVariant }: RouteCandidate): boolean {
  const [named = '', below] = route.path.split('/**');
  return below !== undefined && (named === '' || pathVariant.split('/').length > named.split('/').length);
}

function overloaded(): ProblemError {
  return new ProblemError('overloaded', 'The server is overloaded. Try again later.', {
    retryAfterSeconds: 1,
  });
}
