import { ProblemError } from '../http/problem.ts';
import { createToken, tokenSha256 } from '../web/tokens.ts';
import { answerEnded } from './answer-ended.ts';
import { answerMessage } from './answer-message.ts';
import { answerUnreadable, endDamaged } from './answer-unreadable.ts';
import { targetCookie } from './answered-signup.ts';
import type { Correct, CorrectOutcome } from './correct.ts';
import { decodeHeldSignup } from './held-signup.ts';
import { sendStatusPage } from './status-page.ts';
import { orTryAgain } from './storage-failure.ts';
import { openSuggestion } from './suggestion.ts';
import { sendProblem } from './verify-answers.ts';
import { RETRY_AFTER_SECONDS, type VerifyRequestDependencies, type VerifyStep } from './verify-step.ts';

/**
 * The sender accepts the suggested address. The held signup is claimed, so its code and its link no longer work. The
 * corrected signup replaces it. Only the page of the sender can do this: the mail went to the typed address.
 */
export function createUseSuggestion(
  dependencies: VerifyRequestDependencies,
): (step: VerifyStep, correct: Correct) => Promise<void> {
  const { settled, sealer, settings, metrics, clock, log } = dependencies;

  return async function useSuggestion(step, correct) {
    const { signup, form, now, request, response } = step;
    const { requestId, state } = signup;
    const was = state === 'offered' || state === 'refused' ? state : 'waiting';
    if (!sealer.hasKey(signup.keyId)) {
      answerUnreadable(step, dependencies);
      return;
    }
    const suggestion = openSuggestion(sealer, signup);
    if (suggestion === null) {
      throw new ProblemError('invalid_request', 'This page suggests no other address.');
    }
    const claim = { requestId, verifiedAt: null, tokenSha256: tokenSha256(createToken()) };
    const claimed = await orTryAgain(() => settled.claimToCorrect({ ...claim, now, was }));
    if (!claimed) {
      await answerEnded(step, dependencies);
      return;
    }
    const bytes = sealer.open(claimed);
    if (!bytes) {
      await endDamaged(step, dependencies);
      return;
    }
    let outcome: CorrectOutcome;
    try {
      const held = decodeHeldSignup(bytes);
      const answerHeaders = targetCookie(step, held.message, settings().verification.pass_again);
      outcome = await correct({ held, suggestion, request, response, answerHeaders });
    } catch (error) {
      // Nothing was sent to the app: the signup can still be confirmed as it was typed.
      await settled.release(claim, was);
      throw error;
    }
    log.info(
      { request_id: requestId, outcome: outcome.kind },
      'the suggested address of a held signup was accepted',
    );
    if (!('correctedAs' in outcome)) {
      await settled.release(claim, was);
      if (outcome.kind !== 'not-held') answerUnsent(step, outcome.kind);
      return;
    }
    metrics.step('corrected');
    await settled.finishCorrected({ requestId, correctedAs: outcome.correctedAs, now: clock() });
    if (outcome.kind === 'unanswered') answerMessage(step, form.json, 'unanswered');
  };

  function answerUnsent(step: VerifyStep, kind: 'unreachable' | 'impossible'): void {
    const { signup, now, form } = step;
    if (form.json) {
      sendProblem(step, UNSENT[kind]());
      return;
    }
    sendStatusPage(step, {
      signup,
      now,
      verification: settings().verification,
      suggestion: kind === 'unreachable' ? openSuggestion(sealer, signup) : null,
      error: { kind },
      ...(kind === 'unreachable' ? { status: 502, retryAfterSeconds: RETRY_AFTER_SECONDS } : { status: 409 }),
    });
  }
}

const UNSENT = {
  unreachable: () =>
    new ProblemError(
      'bad_gateway',
      'The application cannot be reached. Accept the suggestion again in a moment.',
      {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      },
    ),
  impossible: () =>
    new ProblemError(
      'invalid_request',
      'The address in this signup can no longer be replaced. Sign up again.',
    ),
} as const;
