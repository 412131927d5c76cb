import type { Action } from '../config/config.ts';
import { ProblemError } from '../http/problem.ts';
import { type Reply, sendReply } from '../http/reply.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { GateMetrics } from '../telemetry/metrics.ts';
import type { HeldSignup } from '../verification/held-signup.ts';
import { noRoomPage, tooManyMailsPage } from '../verification/pages/message-page.tsx';
import type { Replay } from '../verification/replay.ts';
import { StorageFailure } from '../verification/storage-failure.ts';
import type { HoldResult, Verification } from '../verification/verification.ts';
import { LANGUAGES } from '../web/languages.ts';
import { negotiateLanguage } from '../web/negotiate-language.ts';
import { PAGE_POLICY } from '../web/page.tsx';
import { prefersHtml } from '../web/prefers-html.ts';
import { pageAnswer, problemAnswer, seeOtherAnswer } from './answers.ts';
import type { Decision } from './decide.ts';
import { gateHeaders, type Verdict } from './gate-headers.ts';
import { replayedAnswerHeaders } from './replayed-answer.ts';
import type { GateSettings } from './settings.ts';
import { peerOf } from './transport/peer.ts';
import { upstreamTarget } from './transport/request-target.ts';
import type { Transport } from './transport/transport.ts';
import type { Visit } from './visit.ts';

/** What the replay needs to tell the app. Plain JSON: it is sealed with the request, and may outlive this process. */
type ReplayContext = {
  readonly verdict: Verdict;
  /** As sent, without white space around it. */
  readonly email: string;
  readonly degraded: boolean;
  readonly peer: { readonly address: string; readonly trusted: boolean; readonly secure: boolean };
};

export interface HoldFacts {
  readonly decision: Decision;
  /** As sent, without white space around it. */
  readonly email: string | null;
  readonly body: Buffer;
  readonly degraded: boolean;
  /** The request id that the decision is found by. */
  readonly keptAs: string;
}

/** What is left to be done with a signup that should be verified by mail. */
export type MailVerdict =
  /** It was answered: held, or refused for now. */
  | { readonly kind: 'answered' }
  /** The mailbox verified a moment ago: it goes to the app as verified. */
  | { readonly kind: 'passes' }
  /** It could not be stored: `on_error` decides. Or there is no mailbox to write to: it is blocked. */
  | { readonly kind: 'not-held'; readonly onError: Exclude<Action, 'verify'> };

export interface MailVerificationDependencies {
  readonly verification: Pick<Verification, 'hold' | 'takePass'>;
  readonly metrics: Pick<GateMetrics, 'onErrorUsed'>;
  readonly log: Logger;
}

/**
 * Holds a signup until its sender has shown that the mailbox is theirs, and answers with the way to do that. Throws a
 * ProblemError, `payload_too_large`, for one that can never be held.
 */
export function createMailVerification({
  verification,
  metrics,
  log,
}: MailVerificationDependencies): (visit: Visit, facts: HoldFacts) => Promise<MailVerdict> {
  return async function verifyByMail(visit, facts) {
    const { attempt } = facts.decision.judgement;
    const { mailbox } = attempt.email;
    const onError = facts.decision.route.on_error;
    // Nobody can show that what is no mailbox is theirs, and `on_error` is not for the sender to choose.
    if (!mailbox || facts.email === null) return { kind: 'not-held', onError: 'block' };
    let result: HoldResult;
    try {
      const cookies = visit.request.headers.cookie;
      if (await verification.takePass({ identity: attempt.identity, cookies })) return { kind: 'passes' };
      result = await verification.hold({
        ...{ requestId: visit.requestId, keptAs: facts.keptAs },
        message: messageOf(visit, facts.body),
        mailbox,
        ...{ identity: attempt.identity, ip: attempt.ip, userAgent: attempt.userAgent },
        acceptLanguage: visit.request.headers['accept-language'],
        context: contextOf(visit, { ...facts, email: facts.email }),
      });
    } catch (error) {
      log.error({ err: error, request_id: visit.requestId }, 'a signup could not be held');
      // What a sender may have brought about (busy records, a mistake of ours) never lets a signup through.
      if (error instanceof StorageFailure) {
        metrics.onErrorUsed('hold_failed', onError);
        if (onError !== 'verify') return { kind: 'not-held', onError };
      }
      result = { kind: 'full', retryAfterSeconds: RETRY_AFTER_SECONDS };
    }
    if (result.kind === 'too-large')
      throw new ProblemError('payload_too_large', 'The signup is too large to be held until it is verified.');
    // Who quotes the id of an answer must be found.
    const answer = answerFor({ ...visit, requestId: facts.keptAs }, result);
    sendReply(visit.request, visit.response, answer);
    return { kind: 'answered' };
  };
}

/** The signup is refused for now, not for good. */
const REFUSALS = {
  'too-many-mails': { code: 'too_many_mails', status: 429, page: tooManyMailsPage },
  full: { code: 'overloaded', status: 503, page: noRoomPage },
} as const;
const RETRY_AFTER_SECONDS = 60;

function messageOf({ request }: Visit, body: Buffer) {
  const { method = 'POST', url: target = '/', rawHeaders } = request;
  return { method, target, rawHeaders, body };
}

function contextOf(
  { request, settings }: Visit,
  { decision, degraded, email }: Omit<HoldFacts, 'email' | 'keptAs'> & { readonly email: string },
): ReplayContext {
  const { route, score, wanted } = decision;
  const verdict: Verdict = { mode: route.mode, score, wanted, action: 'forward' };
  const { address, trusted, secure } = peerOf(request, settings.trust);
  return { verdict, email, degraded, peer: { address, trusted, secure } };
}

function answerFor(visit: Visit, result: Exclude<HoldResult, { kind: 'too-large' }>): Reply {
  const { request, settings } = visit;
  const isForPerson = prefersHtml(request.headers.accept);
  if (result.kind !== 'held') {
    const { code, status, page } = REFUSALS[result.kind];
    const { retryAfterSeconds } = result;
    if (!isForPerson || settings.publicUrl === null) {
      const detail = 'Nothing was held; sign up again later.';
      return problemAnswer(new ProblemError(code, detail, { retryAfterSeconds }), visit);
    }
    const language = negotiateLanguage(request.headers['accept-language'], LANGUAGES);
    const place = { language, publicUrl: settings.publicUrl };
    const html = page(place, Math.ceil(retryAfterSeconds / 60));
    const headers = ['Retry-After', String(retryAfterSeconds)];
    return pageAnswer({ status, page: { html, policy: PAGE_POLICY }, language, headers }, visit);
  }
  if (isForPerson) return seeOtherAnswer(result.url, visit);
  return problemAnswer(
    new ProblemError(
      'verification_required',
      'A code was mailed to the sender. POST {"code": "…"} to verification_url, or open it in a browser.',
      { members: { verification_url: result.url, expires_at: new Date(result.expiresAt).toISOString() } },
    ),
    visit,
  );
}

export interface ReplayDependencies {
  readonly transport: Pick<Transport, 'forward'>;
  readonly settings: () => GateSettings;
  readonly clock: () => number;
}

/**
 * Sends a held signup to the app as it came, from the address it came from, with what the gate says of it now: forwarded
 * and verified. Cookies are those of the signup, not those of the browser that confirmed; the answer goes to the latter.
 * The request outlives whoever confirmed: a second click on a button ends the first one's connection.
 */
export function createReplay({ transport, settings, clock }: ReplayDependencies): Replay {
  return async ({ held, request, response, answerHeaders }) => {
    const { message, requestId } = held;
    const { verdict, email, degraded, peer } = readContext(held);
    const path = upstreamTarget(message.target)?.path ?? '/';
    const asserted = {
      requestId,
      method: message.method,
      path,
      email,
      body: message.body,
      verified: true,
      now: clock(),
    };
    const { status, sent } = await transport.forward(request, response, {
      requestId,
      body: message.body,
      message: { method: message.method, target: message.target, rawHeaders: message.rawHeaders, peer },
      headers: gateHeaders(asserted, verdict, { signer: settings().signer, degraded }),
      outlivesClient: true,
      rewriteAnswer: (answer) => [...replayedAnswerHeaders(answer, path), ...answerHeaders],
      // The page of the signup says it, with the way to go on.
      onProblem: () => {},
    });
    if (status !== null) return 'answered';
    return sent ? 'unanswered' : 'unreachable';
  };
}

/** It was sealed by `contextOf`, here or in an earlier process. */
function readContext({ context }: HeldSignup): ReplayContext {
  return context as unknown as ReplayContext;
}
