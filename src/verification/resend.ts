import { ProblemError } from '../http/problem.ts';
import type { RenewalOutcome } from '../storage/held-signups/held-signup-store.ts';
import { createCode } from '../web/tokens.ts';
import { answerEnded } from './answer-ended.ts';
import { answerUnreadable } from './answer-unreadable.ts';
import { decodeHeldSignup } from './held-signup.ts';
import { CODE_LIFETIME_MS } from './mails/verification-mails.ts';
import { RESEND_WAIT_MS, sendStatusPage } from './status-page.ts';
import { orTryAgain } from './storage-failure.ts';
import { openSuggestion } from './suggestion.ts';
import { sendJson, sendProblem, sendSeeOther } from './verify-answers.ts';
import { mailBudgetsOf, type VerifyRequestDependencies, type VerifyStep } from './verify-step.ts';

/** Sends a new mail with a new code, within the limits. Earlier wrong codes still count. */
export function createResending(
  dependencies: VerifyRequestDependencies,
): (step: VerifyStep) => Promise<void> {
  const { settings, heldSignups, sealer, mails, metrics, log } = dependencies;

  return async function resend(step) {
    const { signup, now, publicUrl, site, form } = step;
    const { requestId, expiresAt } = signup;
    const { verification } = settings();
    const code = createCode();
    const codeHash = sealer.codeHash(code, signup);
    if (codeHash === null) {
      answerUnreadable(step, dependencies);
      return;
    }
    const renewal = {
      requestId,
      now,
      codeHash,
      waitMs: RESEND_WAIT_MS,
      maxMails: verification.mails_per_signup,
      codeExpiresAt: Math.min(now + CODE_LIFETIME_MS, expiresAt),
    };
    const outcome = await orTryAgain(() => heldSignups.renewMail(renewal, mailBudgetsOf(verification)));
    if (outcome.kind === 'closed') {
      await answerEnded(step, dependencies);
      return;
    }
    if (outcome.kind !== 'renewed') {
      refuse(step, outcome);
      return;
    }
    const bytes = sealer.open(outcome.signup);
    if (bytes) mails.send({ held: decodeHeldSignup(bytes), code, mailedAt: now, expiresAt, publicUrl, site });
    else log.error({ request_id: requestId }, 'a held signup cannot be read');
    if (form.json) {
      const mailsLeft = verification.mails_per_signup - signup.mails - 1;
      sendJson(step, 202, { expires_at: new Date(expiresAt).toISOString(), mails_left: mailsLeft });
    } else {
      sendSeeOther(step, `/.gatekeeper/verify/${step.token}`);
    }
  };

  function refuse(step: VerifyStep, outcome: Exclude<RenewalOutcome, { kind: 'renewed' | 'closed' }>): void {
    if (outcome.kind === 'budget') metrics.mail('over_budget');
    const { signup, now, form } = step;
    const retryAfterSeconds =
      outcome.kind === 'no-more' ? undefined : Math.max(1, Math.ceil(outcome.retryAfterMs / 1_000));
    const wait = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
    if (form.json) {
      sendProblem(
        step,
        new ProblemError('too_many_mails', 'No new mail can be sent for this signup now.', wait),
      );
      return;
    }
    const waitMinutes = Math.ceil((retryAfterSeconds ?? 0) / 60);
    sendStatusPage(step, {
      signup,
      now,
      verification: settings().verification,
      status: 429,
      ...wait,
      suggestion: openSuggestion(sealer, signup),
      ...(outcome.kind === 'budget' && { error: { kind: 'too-many-mails', waitMinutes } as const }),
    });
  }
}
