import type { Clock } from '../clock.ts';
import type { Action, ServerConfig } from '../config/config.ts';
import type { DecisionRecorder } from '../decisions/decision-recorder.ts';
import type { Decision } from '../decisions/judge-attempts.ts';
import { ProblemError } from '../http/problem.ts';
import { sendReply } from '../http/reply.ts';
import { createFailureLog } from '../telemetry/failure-log.ts';
import type { GateMetrics } from '../telemetry/metrics.ts';
import type { Verification } from '../verification/verification.ts';
import { redirectAnswer, refusalAnswer } from './answers.ts';
import { createSignupDecider, type DecidingDependencies } from './decide-signup.ts';
import type { DecidedSignup } from './decided-signup.ts';
import type { SpooledBody } from './forward-body.ts';
import { gateHeaders } from './gate-headers.ts';
import type { GatedRequest } from './gated-request.ts';
import { createHold } from './hold.ts';
import { createKeepRefused, mayKeepRefused } from './keep-refused.ts';
import { createOfferCorrection, mayOfferCorrection } from './offer-correction.ts';
import type { CorrectionOffer } from './pages/plain-page.ts';
import { type BodyResult, createRequestReader } from './read-request.ts';
import type { Signup } from './signup-body/find-signup.ts';
import type { Forwarded } from './transport/exchange-dependencies.ts';

/** A statement waits at most five seconds for the records. After half of that, no second statement follows one that failed. */
const MAX_WAIT_TO_HOLD_MS = 2_500;

export interface EnforcementDependencies extends DecidingDependencies {
  readonly recorder: Pick<DecisionRecorder, 'record'>;
  readonly verification: Pick<Verification, 'hold' | 'takePass'>;
  readonly limits: Pick<ServerConfig, 'body_timeout' | 'min_body_rate'>;
  /** The number of processes that share the memory of this machine. Left out: 1. */
  readonly processes?: number;
  readonly metrics: GateMetrics;
  readonly clock: Clock;
}

/** The outcome of a signup after its decision. */
export interface Enforced {
  /** The request id under which the decision is stored. */
  readonly decisionId: string;
  /** The exchange with the app; null when the signup was not forwarded. */
  readonly forwarded: Forwarded | null;
  /**
   * The signup could not be held: there are too many mails, or there is no room. The sender has received its answer.
   */
  readonly isNotHeld: boolean;
}

export interface Enforcement {
  /**
   * Holds a request that matches a route until it is judged, and then takes the action of the route. Before that, the
   * upstream receives no byte of the request. Throws a ProblemError for a request that two parsers could read
   * differently.
   */
  enforce(gated: GatedRequest): Promise<void>;
  /** The same for a signup that was already read. */
  enforceRead(gated: GatedRequest, signup: Signup, body: Buffer | SpooledBody): Promise<Enforced>;
}

export function createEnforcement(dependencies: EnforcementDependencies): Enforcement {
  const { recorder, verification, limits, clock, log } = dependencies;
  const passFailures = createFailureLog(log, 'a pass could not be looked up');
  const hold = createHold(dependencies);
  const decide = createSignupDecider(dependencies);
  const offerCorrection = createOfferCorrection(dependencies);
  const keepRefused = createKeepRefused(dependencies, offerCorrection);
  const read = createRequestReader({ limits, processes: dependencies.processes, log });

  async function enforce(gated: GatedRequest): Promise<void> {
    const result = await read(gated);
    try {
      if ('unreadable' in result) await forwardUnread(gated, result);
      else if (result.signup === null) await forwardUnjudged(gated, result.body);
      else await enforceRead(gated, result.signup, result.body);
    } finally {
      result.release();
    }
  }

  async function enforceRead(
    gated: GatedRequest,
    signup: Signup,
    body: Buffer | SpooledBody,
  ): Promise<Enforced> {
    const decided = await decideOn(gated, signup, body);
    const { decisionId } = decided;
    const { action } = decided.decision;
    if (action === 'verify' && signup.route.verify.by === 'email') return holdFirst(gated, decided);
    return { decisionId, forwarded: await carryOut(gated, decided, action), isNotHeld: false };
  }

  async function decideOn(
    gated: GatedRequest,
    signup: Signup,
    body: Buffer | SpooledBody,
  ): Promise<DecidedSignup> {
    const deciding = decide(gated, signup);
    // An unnecessary await would cost each signup one more turn of the event loop.
    const judged = deciding instanceof Promise ? await deciding : deciding;
    const { decision, verified, recordsFailure } =
      judged.action === 'verify' && signup.route.verify.by === 'email'
        ? await withoutNeedlessMail(gated, judged)
        : { decision: judged, verified: false, recordsFailure: null };
    const recorded = await recorder.record(decision, gated.settings.storePlain);
    const degraded = decision.judgement.degraded || !recorded.isStored;
    const { decisionId } = recorded;
    return { decision, signup, body, verified, degraded, decisionId, recordsFailure };
  }

  /** A mailbox that was verified a moment ago needs no second mail. A signup without a mailbox cannot be verified. */
  async function withoutNeedlessMail({ request }: GatedRequest, decision: Decision<Action>) {
    const { email, identity } = decision.judgement.attempt;
    if (email.mailbox === null)
      return { decision: { ...decision, action: 'block' as const }, verified: false, recordsFailure: null };
    const askedAt = performance.now();
    try {
      const { cookie: cookies } = request.headers;
      const verified = await verification.takePass({ identity, cookies });
      const decided = verified ? { ...decision, action: 'forward' as const } : decision;
      return { decision: decided, verified, recordsFailure: null };
    } catch (error) {
      passFailures.failed(error, decision.judgement.attempt.requestId);
      const hasWaited = performance.now() - askedAt > MAX_WAIT_TO_HOLD_MS;
      return { decision, verified: false, recordsFailure: hasWaited ? error : null };
    }
  }

  async function holdFirst(gated: GatedRequest, decided: DecidedSignup): Promise<Enforced> {
    const { decisionId } = decided;
    const held = await hold(gated, decided);
    if (held.kind === 'answered') return { decisionId, forwarded: null, isNotHeld: !held.isHeld };
    const forwarded = await carryOut(gated, { ...decided, degraded: true }, held.instead);
    return { decisionId, forwarded, isNotHeld: false };
  }

  /** The exchange with the upstream; null when the sender has already received its answer. */
  function carryOut(
    gated: GatedRequest,
    decided: DecidedSignup,
    action: Action,
  ): Promise<Forwarded | null> | null {
    const { request, response, settings } = gated;
    const { decision, signup, decisionId } = decided;
    const { verify } = signup.route;
    if (action === 'block') {
      if (mayKeepRefused(gated, decided)) return keepRefused(gated, decided).then(refuse);
      if (mayOfferCorrection(gated, decided)) return offerCorrection(gated, decided).then(refuse);
      refuse(null);
    } else if (action === 'verify' && verify.by === 'redirect') {
      const facts = { ref: gated, verify, decision, settings, email: signup.email, now: clock() };
      sendReply(request, response, redirectAnswer(facts));
    } else {
      return forwardJudged(gated, decided, action);
    }
    return null;

    function refuse(offer: CorrectionOffer | null): null {
      // Support must find a refusal by its id: a repeated refusal is stored under the id of the first.
      const ref = { request, requestId: decisionId, settings };
      sendReply(request, response, refusalAnswer(ref, settings.blockPageOf(signup.route), offer));
      return null;
    }
  }

  function forwardJudged(
    { request, response, requestId, settings, message, path, forward }: GatedRequest,
    { decision, signup, body, verified, degraded }: DecidedSignup,
    action: Action,
  ): Promise<Forwarded> {
    const { email } = signup;
    const { mode, score, wantedAction } = decision;
    const asserted = { requestId, method: message.method, path, email, body, verified, now: clock() };
    const verdict = { mode, score, wantedAction, action };
    const headers = gateHeaders(asserted, verdict, { signer: settings.signer, degraded });
    return forward(request, response, { requestId, headers, body, message, isSignup: true });
  }

  async function forwardUnjudged(
    { request, response, requestId, message, forward, passing }: GatedRequest,
    body: BodyResult['body'],
  ): Promise<void> {
    if (Buffer.isBuffer(body)) passing?.look(body);
    const { status } = await forward(request, response, { requestId, message, ...(body && { body }) });
    passing?.answered(status);
  }

  /** Only in monitor mode: forwards the request that enforce mode would refuse. */
  function forwardUnread(
    { request, response, requestId, message, forward }: GatedRequest,
    { body, unreadable }: Extract<BodyResult, { unreadable: unknown }>,
  ): Promise<unknown> {
    const code = unreadable instanceof ProblemError ? unreadable.code : null;
    const facts = { request_id: requestId, action: 'forward', wanted_action: 'block', problem: code };
    if (code === null) log.error({ ...facts, err: unreadable }, 'a signup could not be read');
    else log.info(facts, 'a signup could not be read');
    const headers = ['X-Gatekeeper-Request-Id', requestId, 'X-Gatekeeper-Action', 'forward'];
    headers.push('X-Gatekeeper-Monitor', 'block');
    return forward(request, response, { requestId, headers, message, isSignup: true, ...(body && { body }) });
  }

  return { enforce, enforceRead };
}
