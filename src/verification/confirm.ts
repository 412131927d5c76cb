import { ProblemError } from '../http/problem.ts';
import type { SealedSignup } from '../storage/held-signups/held-signup-store.ts';
import { createToken, readCode, tokenSha256 } from '../web/tokens.ts';
import { answerEnded } from './answer-ended.ts';
import { answerMessage } from './answer-message.ts';
import { answerUnreadable, endDamaged } from './answer-unreadable.ts';
import { targetCookie } from './answered-signup.ts';
import { decodeHeldSignup } from './held-signup.ts';
import type { CodePageError } from './pages/code-page.tsx';
import { passCookie } from './pass-cookie.ts';
import type { Replay, ReplayOutcome, ReplayRequest } from './replay.ts';
import { type SharedAnswer, shareAnswer } from './shared-answer.ts';
import { sendStatusPage } from './status-page.ts';
import { orTryAgain } from './storage-failure.ts';
import { openSuggestion } from './suggestion.ts';
import { sendProblem } from './verify-answers.ts';
import { RETRY_AFTER_SECONDS, type VerifyRequestDependencies, type VerifyStep } from './verify-step.ts';

interface ConfirmStep extends VerifyStep {
  /** The token with which the confirming browser may pass once more; null when a program confirms. */
  readonly passToken: string | null;
}

export interface Confirmation {
  /**
   * Checks the code or the link, and sends the signup to the app. The app receives it only once, even if two browsers
   * confirm it at the same time.
   */
  confirm(step: VerifyStep, replay: Replay): Promise<void>;
  /**
   * Answers a second click of a confirmation while this process waits for the app: with the answer of the app, if the
   * browser has disconnected the first click. Returns false for every other request.
   */
  repeat(step: VerifyStep): Promise<boolean>;
}

/** A signup that this process is sending to the app. */
interface Sending {
  readonly answer: SharedAnswer;
  readonly outcome: Promise<ReplayOutcome>;
  /** The cookie of the pass. The answer of the app has it too. */
  readonly passHeaders: readonly string[];
}

export function createConfirmation(dependencies: VerifyRequestDependencies): Confirmation {
  const { settings, settled, sealer, metrics, log } = dependencies;
  const sending = new Map<string, Sending>();

  async function confirm(verifyStep: VerifyStep, replay: Replay): Promise<void> {
    // Browsers send a form and keep the cookie. Programs keep no cookies.
    const step = { ...verifyStep, passToken: verifyStep.form.json ? null : createToken() };
    if (step.signup.by === 'link') {
      const { requestId, keyId } = step.signup;
      if (!sealer.hasKey(keyId)) {
        answerUnreadable(step, dependencies);
        return;
      }
      const claim = { requestId, now: step.now, passTokenSha256: hashOf(step) };
      const claimed = await orTryAgain(() => settled.claim(claim));
      if (claimed) await deliver(step, claimed, replay);
      else await answerLate(step);
    } else {
      await tryCode(step, replay);
    }
  }

  async function tryCode(step: ConfirmStep, replay: Replay): Promise<void> {
    const { signup, form, now } = step;
    const { requestId } = signup;
    const code = readCode(form.code);
    if (code === null) {
      refuseCode(step, { kind: 'malformed' });
      return;
    }
    if (signup.codeExpiresAt <= now) {
      refuseCode(step, { kind: 'code-expired' });
      return;
    }
    const codeHash = sealer.codeHash(code, signup);
    if (codeHash === null) {
      answerUnreadable(step, dependencies);
      return;
    }
    const maxTries = settings().verification.code_tries;
    const attempt = { requestId, codeHash, maxTries, now, passTokenSha256: hashOf(step) };
    const outcome = await orTryAgain(() => settled.tryCode(attempt));
    switch (outcome.kind) {
      case 'claimed':
        await deliver(step, outcome.signup, replay);
        return;
      case 'wrong':
        metrics.step('wrong_code');
        refuseCode(step, { kind: 'wrong', triesLeft: outcome.triesLeft });
        return;
      case 'locked':
        metrics.step('locked');
        log.warn({ request_id: requestId }, 'a held signup was locked after too many wrong codes');
        answerMessage(step, form.json, 'locked');
        return;
      case 'closed':
        await answerLate(step);
    }
  }

  async function answerLate(step: VerifyStep): Promise<void> {
    if (!(await repeat(step))) await answerEnded(step, dependencies);
  }

  async function repeat(step: VerifyStep): Promise<boolean> {
    const sent = step.form.json ? undefined : sending.get(proofOf(step));
    if (!sent?.answer.add(step.response)) return false;
    const outcome = await sent.outcome;
    if (outcome !== 'answered') answerUnsent(step, outcome, sent.passHeaders);
    else if (!sent.answer.isFor(step.response)) await answerEnded(step, dependencies);
    return true;
  }

  function refuseCode(step: VerifyStep, error: CodePageError): void {
    const { signup, now, form } = step;
    if (form.json) {
      // A signup that still waits accepts one more code, even when a reload has set fewer tries than it has used.
      const triesBefore = Math.max(1, settings().verification.code_tries - signup.tries);
      sendProblem(step, codeProblem(error, triesBefore));
      return;
    }
    const status = error.kind === 'malformed' ? 400 : 403;
    const suggestion = openSuggestion(sealer, signup);
    sendStatusPage(step, { signup, now, verification: settings().verification, suggestion, error, status });
  }

  /** The signup is claimed: no other request can confirm it, unless the app could not be reached. */
  async function deliver(step: ConfirmStep, claimed: SealedSignup, replay: Replay): Promise<void> {
    const { request, response, signup, now } = step;
    const { requestId } = claimed;
    metrics.step('confirmed');
    const bytes = sealer.open(claimed);
    if (!bytes) {
      await endDamaged(step, dependencies);
      return;
    }
    const verifiedBy = signup.by === 'link' ? 'link' : 'code';
    const held = decodeHeldSignup(bytes);
    const passHeaders = passHeadersOf(step);
    const target = targetCookie(step, held.message, settings().verification.pass_again);
    const answerHeaders = [...passHeaders, ...target];
    const answer = shareAnswer(response);
    const replayed = tryReplay(replay, {
      held,
      verifiedBy,
      request,
      response: answer.response,
      answerHeaders,
    });
    const settling = replayed.then(async (outcome) => {
      metrics.replayed(outcome);
      log.info(
        { request_id: requestId, verified_by: verifiedBy, app: outcome },
        'a held signup was verified',
      );
      if (outcome !== 'unreachable') await settled.finish(requestId);
      else await settled.release({ requestId, verifiedAt: now, tokenSha256: hashOf(step) }, 'waiting');
      return outcome;
    });
    sending.set(proofOf(step), { answer, outcome: settling, passHeaders });
    const outcome = await settling.finally(() => sending.delete(proofOf(step)));
    if (outcome !== 'answered') answerUnsent(step, outcome, passHeaders);
    else if (!answer.isFor(response)) await answerEnded(step, dependencies);
  }

  function answerUnsent(
    step: VerifyStep,
    outcome: Exclude<ReplayOutcome, 'answered'>,
    passHeaders: readonly string[],
  ): void {
    const { signup, form, now } = step;
    if (outcome === 'unanswered') {
      answerMessage(step, form.json, 'unanswered', passHeaders);
    } else if (form.json) {
      const detail = 'The application cannot be reached. Confirm again in a moment.';
      sendProblem(step, new ProblemError('bad_gateway', detail, { retryAfterSeconds: RETRY_AFTER_SECONDS }));
    } else {
      const { verification } = settings();
      const error = { kind: 'unreachable' } as const;
      const suggestion = openSuggestion(sealer, signup);
      sendStatusPage(step, {
        signup,
        now,
        verification,
        suggestion,
        error,
        status: 502,
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    }
  }

  function passHeadersOf({ passToken, publicUrl }: ConfirmStep): readonly string[] {
    return passToken === null ? [] : passCookie(passToken, publicUrl, settings().verification.pass_again);
  }

  /** After an internal failure, the app may already have the signup, so it must not be sent again. */
  async function tryReplay(replay: Replay, request: ReplayRequest): Promise<ReplayOutcome> {
    try {
      return await replay(request);
    } catch (error) {
      log.error(
        { err: error, request_id: request.held.requestId },
        'a held signup could not be sent to the app',
      );
      return request.response.headersSent ? 'answered' : 'unanswered';
    }
  }

  return { confirm, repeat };
}

/** What a click proves: clicks with the same link, or with the same code on the same page, are equal. */
function proofOf({ token, signup, form }: VerifyStep): string {
  return signup.by === 'link' ? token : `${token} ${readCode(form.code)}`;
}

function hashOf({ passToken }: ConfirmStep): string | null {
  return passToken === null ? null : tokenSha256(passToken);
}

function codeProblem(error: CodePageError, triesBefore: number): ProblemError {
  if (error.kind === 'malformed') {
    return new ProblemError('invalid_request', 'The code must be six digits.', {
      errors: [{ pointer: '/code', detail: 'must be a string of six digits' }],
      members: { tries_left: triesBefore },
    });
  }
  const triesLeft = error.kind === 'wrong' ? error.triesLeft : triesBefore;
  const detail =
    error.kind === 'wrong'
      ? 'Use the code in the newest mail.'
      : 'The code has expired. Ask for a new mail, or open the link in the mail.';
  return new ProblemError('wrong_code', detail, { members: { tries_left: triesLeft } });
}
