import type { Pseudonymize } from '../assessment/identity.ts';
import type { Clock } from '../clock.ts';
import type { Action, ServerConfig } from '../config/config.ts';
import type { Decision } from '../decisions/decision.ts';
import type { DecisionRecorder } from '../decisions/decision-recorder.ts';
import { judgeAttempts } from '../decisions/judge-attempts.ts';
import { ProblemError } from '../http/problem.ts';
import { sendReply } from '../http/reply.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { GateMetrics } from '../telemetry/metrics.ts';
import type { Verification } from '../verification/verification.ts';
import { redirectAnswer, refusalAnswer } from './answers.ts';
import type { DecidedSignup } from './decided-signup.ts';
import type { SpooledBody } from './forward-body.ts';
import { gateHeaders } from './gate-headers.ts';
import type { GatedRequest } from './gated-request.ts';
import { createHold } from './hold.ts';
import { readAttempts } from './read-attempt.ts';
import { createRequestReader, type Reading } from './read-request.ts';
import type { Signup } from './signup-body/find-signup.ts';
import type { Transport } from './transport/transport.ts';

export interface EnforcementDependencies {
  readonly transport: Pick<Transport, 'forward'>;
  readonly recorder: Pick<DecisionRecorder, 'record'>;
  readonly pseudonymize: Pseudonymize;
  readonly verification: Pick<Verification, 'hold' | 'takePass'>;
  readonly limits: Pick<ServerConfig, 'body_timeout' | 'min_body_rate'>;
  readonly metrics: GateMetrics;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Holds a request that matches a route until it is judged, then does what the route says. The upstream receives no byte
 * of the request before that. Throws a ProblemError for a request that two parsers could read differently.
 */
export function createEnforcement(
  dependencies: EnforcementDependencies,
): (gated: GatedRequest) => Promise<void> {
  const { transport, recorder, pseudonymize, verification, limits, clock, log } = dependencies;
  const hold = createHold(dependencies);
  const read = createRequestReader(limits, log);

  async function enforce(gated: GatedRequest): Promise<void> {
    const reading = await read(gated);
    try {
      if ('unreadable' in reading) await forwardUnread(gated, reading);
      else if (reading.signup === null) await forwardUnjudged(gated, reading.body);
      else await act(gated, await decideOn(gated, reading.signup, reading.body));
    } finally {
      reading.release();
    }
  }

  async function decideOn(
    gated: GatedRequest,
    signup: Signup,
    body: Buffer | SpooledBody,
  ): Promise<DecidedSignup> {
    const { judge, storePlain } = gated.settings;
    const attempts = readAttempts(gated, signup, pseudonymize);
    const judged = await judgeAttempts(attempts, signup.route, { judge, log });
    const { decision, verified } =
      judged.action === 'verify' && signup.route.verify.by === 'email'
        ? await withoutNeedlessMail(gated, judged)
        : { decision: judged, verified: false };
    const recorded = await recorder.record(decision, storePlain);
    const degraded = decision.judgement.degraded || !recorded.isKept;
    return { decision, signup, body, verified, degraded, keptAs: recorded.requestId };
  }

  /** A mailbox that was verified a moment ago needs no second mail. A signup without a mailbox cannot be verified. */
  async function withoutNeedlessMail({ request }: GatedRequest, decision: Decision<Action>) {
    const { email, identity } = decision.judgement.attempt;
    if (email.mailbox === null)
      return { decision: { ...decision, action: 'block' as const }, verified: false };
    try {
      const { cookie: cookies } = request.headers;
      const verified = await verification.takePass({ identity, cookies });
      return { decision: verified ? { ...decision, action: 'forward' as const } : decision, verified };
    } catch (error) {
      log.error(
        { err: error, request_id: decision.judgement.attempt.requestId },
        'a pass could not be looked up',
      );
      return { decision, verified: false };
    }
  }

  async function act(gated: GatedRequest, decided: DecidedSignup): Promise<void> {
    const { request, response, settings } = gated;
    const { decision, signup, keptAs } = decided;
    const { verify } = signup.route;
    let { action } = decision;
    let { degraded } = decided;
    if (action === 'verify' && verify.by === 'email') {
      const held = await hold(gated, decided);
      if (held.kind === 'answered') return;
      action = held.instead;
      degraded = true;
    }
    if (action === 'block') {
      // Support must find a refusal by its id: a repeated refusal is stored under the id of the first.
      const answer = refusalAnswer({ request, requestId: keptAs }, settings.blockPageOf(signup.route));
      sendReply(request, response, answer);
    } else if (action === 'verify' && verify.by === 'redirect') {
      const facts = { asked: gated, verify, decision, settings, email: signup.email, now: clock() };
      sendReply(request, response, redirectAnswer(facts));
    } else {
      await forward(gated, { ...decided, degraded }, action);
    }
  }

  async function forward(
    { request, response, requestId, settings, message, path }: GatedRequest,
    { decision, signup, body, verified, degraded }: DecidedSignup,
    action: Action,
  ): Promise<void> {
    const { email } = signup;
    const { mode, score, wantedAction } = decision;
    const asserted = { requestId, method: message.method, path, email, body, verified, now: clock() };
    const verdict = { mode, score, wantedAction, action };
    const headers = gateHeaders(asserted, verdict, { signer: settings.signer, degraded });
    await transport.forward(request, response, { requestId, headers, body, message });
  }

  async function forwardUnjudged(
    { request, response, requestId, message }: GatedRequest,
    body: Reading['body'],
  ): Promise<void> {
    await transport.forward(request, response, { requestId, message, ...(body && { body }) });
  }

  /** Runs in monitor mode only: forwards the request that enforce mode would refuse. */
  async function forwardUnread(
    { request, response, requestId, message }: GatedRequest,
    { body, unreadable }: Extract<Reading, { unreadable: unknown }>,
  ): Promise<void> {
    const code = unreadable instanceof ProblemError ? unreadable.code : null;
    const facts = { request_id: requestId, action: 'forward', wanted_action: 'block', problem: code };
    if (code === null) log.error({ ...facts, err: unreadable }, 'a signup could not be read');
    else log.info(facts, 'a signup could not be read');
    const headers = ['X-Gatekeeper-Request-Id', requestId, 'X-Gatekeeper-Action', 'forward'];
    headers.push('X-Gatekeeper-Monitor', 'block');
    await transport.forward(request, response, { requestId, headers, message, ...(body && { body }) });
  }

  return enforce;
}
