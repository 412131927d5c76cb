import type { Attempt } from '../assessment/attempt.ts';
import type { Pseudonymize } from '../assessment/identity.ts';
import type { Judge, Judgement } from '../assessment/judge.ts';
import { scoreFactors } from '../assessment/score.ts';
import type { Clock } from '../clock.ts';
import type { ServerConfig } from '../config/config.ts';
import { ProblemError } from '../http/problem.ts';
import { sendReply } from '../http/reply.ts';
import type { Decisions } from '../storage/storage.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { GateMetrics } from '../telemetry/metrics.ts';
import type { Verification } from '../verification/verification.ts';
import { redirectAnswer, refusalAnswer } from './answers.ts';
import { type Decision, decide } from './decide.ts';
import type { SpooledBody } from './forward-body.ts';
import { gateHeaders } from './gate-headers.ts';
import { readAttempts } from './read-attempt.ts';
import { createRequestReader, type Reading } from './read-request.ts';
import { recordDecision } from './record-decision.ts';
import type { MatchedRoutes } from './routes/match-routes.ts';
import type { Signup } from './signup-body/find-signup.ts';
import { upstreamTarget } from './transport/request-target.ts';
import type { Transport } from './transport/transport.ts';
import { createMailVerification } from './verify-by-mail.ts';
import type { Visit } from './visit.ts';
import { worstDecision } from './worst-decision.ts';

export interface EnforcementDependencies {
  readonly transport: Pick<Transport, 'forward'>;
  readonly decisions: Pick<Decisions, 'record'>;
  readonly pseudonymize: Pseudonymize;
  readonly verification: Pick<Verification, 'hold' | 'takePass'>;
  readonly limits: Pick<ServerConfig, 'body_timeout' | 'min_body_rate'>;
  readonly metrics: GateMetrics;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Holds a request that fits a route until it is judged, and does with it what the route says. Nothing of it reaches the
 * upstream before that. Throws ProblemErrors for what cannot be read in one way only, before the app sees a byte.
 */
export function createEnforcement(
  parts: EnforcementDependencies,
): (visit: Visit, match: MatchedRoutes) => Promise<void> {
  const { transport, pseudonymize, limits, metrics, clock, log } = parts;
  const verifyByMail = createMailVerification(parts);

  const read = createRequestReader(limits, log);

  async function enforce(visit: Visit, match: MatchedRoutes): Promise<void> {
    const reading = await read(visit, match);
    try {
      await enforceOn(visit, reading);
    } finally {
      reading.release();
    }
  }

  async function enforceOn(visit: Visit, reading: Reading): Promise<void> {
    const { request, response, requestId, settings } = visit;
    if ('unreadable' in reading) {
      await forwardUnread(visit, reading);
      return;
    }
    if (reading.signup === null) {
      await transport.forward(request, response, { body: reading.body, requestId });
      return;
    }
    const { body, signup } = reading;
    const [attempt, ...others] = readAttempts(visit, signup, pseudonymize);
    const toDecision = (judged: Judgement) => decide(signup.route, judged, settings.judge.policy);
    const isRefused = (judged: Judgement) => toDecision(judged).wanted === 'block';
    const decision = await worstDecision(attempt, others, async (each) =>
      toDecision(await judge(settings.judge, each, isRefused)),
    );
    count(decision);
    const { decisions } = parts;
    const recorded = await recordDecision(decision, { decisions, log, storePlain: settings.storePlain });
    if (!recorded.isKept) metrics.unrecorded();
    const degraded = decision.judgement.degraded || !recorded.isKept;
    await act(visit, { decision, signup, body, degraded, keptAs: recorded.requestId });
  }

  function count({ route, judgement, score, wanted }: Decision): void {
    const riskLevel = score?.riskLevel ?? null;
    metrics.judged(judgement, { route: route.name, riskLevel, action: wanted, mode: route.mode });
    if (riskLevel === null) metrics.onErrorUsed('not_judged', wanted);
  }

  /** In monitor mode alone: what enforcing would have refused. */
  async function forwardUnread(
    { request, response, requestId }: Visit,
    { body, unreadable }: Extract<Reading, { unreadable: unknown }>,
  ): Promise<void> {
    const code = unreadable instanceof ProblemError ? unreadable.code : null;
    const facts = { request_id: requestId, action: 'forward', monitor: 'block', problem: code };
    if (code === null) log.error({ ...facts, err: unreadable }, 'a signup could not be read');
    else log.info(facts, 'a signup could not be read');
    const headers = ['X-Gatekeeper-Request-Id', requestId, 'X-Gatekeeper-Action', 'forward'];
    headers.push('X-Gatekeeper-Monitor', 'block');
    await transport.forward(request, response, { requestId, headers, ...(body && { body }) });
  }

  /** A judge never rejects; if it does all the same, nothing was evaluated, and the route says what then. */
  async function judge(
    judge: Judge,
    attempt: Attempt,
    isRefused: (judgement: Judgement) => boolean,
  ): Promise<Judgement> {
    try {
      return await judge.judge(attempt, isRefused);
    } catch (error) {
      log.error({ err: error, request_id: attempt.requestId }, 'a signup could not be judged');
      return unjudged(attempt, judge);
    }
  }

  interface Act {
    readonly decision: Decision;
    readonly signup: Signup;
    readonly body: Buffer | SpooledBody;
    readonly degraded: boolean;
    /** The request id that the decision is found by. */
    readonly keptAs: string;
  }

  async function act(visit: Visit, { decision, signup, body, degraded, keptAs }: Act): Promise<void> {
    const { request, response, settings } = visit;
    const { route, email } = signup;
    const { verify } = route;
    if (decision.action === 'block') {
      // Who quotes the id of a refusal must be found: repeats stand under that of the first.
      const asked = { request, requestId: keptAs };
      sendReply(request, response, refusalAnswer(asked, settings.blockPageOf(route)));
    } else if (decision.action === 'verify' && verify.by === 'redirect') {
      const facts = { asked: visit, verify, decision, settings, email, now: clock() };
      sendReply(request, response, redirectAnswer(facts));
    } else if (decision.action === 'verify' && verify.by === 'email') {
      const bytes = Buffer.isBuffer(body) ? body : await body.toBuffer();
      const held = { decision, email, body: bytes, degraded, keptAs };
      const { kind, ...left } = await verifyByMail(visit, held);
      if (kind === 'passes') {
        const passed = { ...decision, action: 'forward' } as const;
        await forward(visit, { decision: passed, signup, body, degraded }, true);
      } else if ('onError' in left) {
        const instead = { ...decision, action: left.onError };
        await act(visit, { decision: instead, signup, body, degraded: true, keptAs });
      }
    } else {
      await forward(visit, { decision, signup, body, degraded }, false);
    }
  }

  async function forward(
    { request, response, requestId, settings }: Visit,
    { decision, signup, body, degraded }: Omit<Act, 'keptAs'>,
    verified: boolean,
  ): Promise<void> {
    const asserted = {
      requestId,
      method: request.method ?? 'POST',
      path: upstreamTarget(request.url ?? '/')?.path ?? '/',
      email: signup.email,
      body,
      verified,
      now: clock(),
    };
    const { route, score, wanted, action } = decision;
    const verdict = { mode: route.mode, score, wanted, action };
    const headers = gateHeaders(asserted, verdict, { signer: settings.signer, degraded });
    await transport.forward(request, response, { requestId, headers, body });
  }

  return enforce;
}

function unjudged(attempt: Attempt, { policy, policyRevision }: Judge): Judgement {
  const examinations = { email: null, ip_address: null, velocity: null, user_agent: null };
  return {
    attempt,
    ...scoreFactors(examinations, [], policy),
    examinations,
    lists: [],
    degraded: true,
    policyRevision,
    dataRevision: '',
    elapsedMs: 0,
  };
}
