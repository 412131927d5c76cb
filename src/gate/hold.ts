import type { Mailbox } from '../addresses/email-address.ts';
import type { Action } from '../config/config.ts';
import { ProblemError } from '../http/problem.ts';
import { type Reply, sendReply } from '../http/reply.ts';
import { createFailureLog } from '../telemetry/failure-log.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { GateMetrics } from '../telemetry/metrics.ts';
import { noRoomPage, tooManyMailsPage } from '../verification/pages/message-page.tsx';
import { StorageFailure } from '../verification/storage-failure.ts';
import type { HoldResult, Verification } from '../verification/verification.ts';
import { readerLanguage } from '../web/languages.ts';

import { prefersHtml } from '../web/prefers-html.ts';
import { leadingAnswer, pageAnswer, problemAnswer, referred } from './answers.ts';
import type { DecidedSignup } from './decided-signup.ts';
import type { GatedRequest } from './gated-request.ts';
import { replayContext } from './replay.ts';
import { suggestEmail } from './suggest-email.ts';

const NOT_HELD = 'a signup could not be held';

export type Hold = (gated: GatedRequest, decided: DecidedSignup) => Promise<Held>;

export type Held =
  /** The sender received an answer: the signup is held, or refused for now. */
  | { readonly kind: 'answered'; readonly isHeld: boolean }
  /** The signup could not be stored: `on_error` decides. */
  | { readonly kind: 'failed'; readonly instead: Exclude<Action, 'verify'> };

export interface HoldDependencies {
  readonly verification: Pick<Verification, 'hold'>;
  readonly metrics: Pick<GateMetrics, 'holdFailed'>;
  readonly log: Logger;
}

/**
 * Holds a signup until its sender has verified the mailbox, and answers with the link to do so. Throws the ProblemError
 * `payload_too_large` for a signup that is too large to be held.
 */
export function createHold({ verification, metrics, log }: HoldDependencies): Hold {
  const storageFailures = createFailureLog(log, NOT_HELD);
  return async function hold(gated, decided) {
    const { request, requestId } = gated;
    const { decision, signup, decisionId, recordsFailure } = decided;
    const { mailbox } = decision.judgement.attempt.email;
    // Without a mailbox the action is `block`: a sender must not be able to choose `on_error`.
    if (!mailbox || signup.email === null) return { kind: 'failed', instead: 'block' };
    let result: HoldResult;
    let suggestion: string | null = null;
    try {
      if (recordsFailure !== null) throw recordsFailure;
      const toHold = await signupToHold(gated, decided, { mailbox, email: signup.email });
      suggestion = toHold.suggestion;
      result = await verification.hold(toHold);
    } catch (error) {
      const onError = signup.route.on_error;
      // A sender may be able to cause this failure (busy storage, a bug). So a signup is never forwarded because of it.
      if (error instanceof StorageFailure) {
        storageFailures.failed(error, requestId);
        metrics.holdFailed(onError);
        if (onError !== 'verify') return { kind: 'failed', instead: onError };
      } else {
        log.error({ err: error, request_id: requestId }, NOT_HELD);
      }
      result = { kind: 'full', retryAfterSeconds: RETRY_AFTER_SECONDS };
    }
    if (result.kind === 'too-large')
      throw new ProblemError('payload_too_large', 'The signup is too large to be held until it is verified.');
    // Support must find the request by the id in the answer.
    const ref = { ...gated, requestId: decisionId };
    sendReply(request, gated.response, referred(answerFor(ref, result, suggestion), ref));
    return { kind: 'answered', isHeld: result.kind === 'held' };
  };
}

/** The facts of a signup to hold, with the address that its sender probably meant. */
export async function signupToHold(
  gated: GatedRequest,
  { decision, signup, decisionId, degraded, body: read }: DecidedSignup,
  { mailbox, email }: { readonly mailbox: Mailbox; readonly email: string },
) {
  const { method, target, rawHeaders } = gated.message;
  const body = Buffer.isBuffer(read) ? read : await read.toBuffer();
  const message = { method, target, rawHeaders, body };
  const { identity, ip, userAgent } = decision.judgement.attempt;
  const { mode, score, wantedAction } = decision;
  const verdict = { mode, score, wantedAction, action: 'forward' } as const;
  return {
    requestId: gated.requestId,
    decisionId,
    message,
    mailbox,
    identity,
    ip,
    userAgent,
    acceptLanguage: gated.request.headers['accept-language'],
    suggestion: await suggestEmail(message, { decision, signup }, gated.settings),
    context: replayContext(gated, { verdict, email, degraded }),
  };
}

/** These refusals are temporary: the same signup may pass later. */
const REFUSALS = {
  'too-many-mails': { code: 'too_many_mails', status: 429, page: tooManyMailsPage },
  full: { code: 'overloaded', status: 503, page: noRoomPage },
} as const;
const RETRY_AFTER_SECONDS = 60;

function answerFor(
  gated: GatedRequest,
  result: Exclude<HoldResult, { kind: 'too-large' }>,
  suggestion: string | null,
): Reply {
  const { request, settings } = gated;
  const isForPerson = prefersHtml(request.headers);
  if (result.kind !== 'held') {
    const { code, status, page } = REFUSALS[result.kind];
    const { retryAfterSeconds } = result;
    if (!isForPerson || settings.publicUrl === null) {
      const detail = 'Nothing was held; sign up again later.';
      return problemAnswer(new ProblemError(code, detail, { retryAfterSeconds }), gated);
    }
    const language = readerLanguage(request.headers['accept-language']);
    const place = { language, publicUrl: settings.publicUrl, site: settings.site };
    const shown = page(place, Math.ceil(retryAfterSeconds / 60));
    const headers = ['Retry-After', String(retryAfterSeconds)];
    return pageAnswer({ status, page: shown, language, headers }, gated);
  }
  const leading = leadingAnswer(result.url, gated);
  if (leading) return leading;
  return problemAnswer(
    new ProblemError(
      'verification_required',
      `A code was mailed to the sender. POST {"code": "…"} to verification_url, or open it in a browser.${
        suggestion === null
          ? ''
          : ' The address probably has a typing error: POST {"action": "use_suggestion"} to use the one in suggestion.'
      }`,
      {
        members: {
          verification_url: result.url,
          expires_at: new Date(result.expiresAt).toISOString(),
          ...(suggestion !== null && { suggestion }),
        },
      },
    ),
    gated,
  );
}
