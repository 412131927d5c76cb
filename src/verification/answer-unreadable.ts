import { ProblemError } from '../http/problem.ts';
import { answerMessage } from './answer-message.ts';
import { sendStatusPage } from './status-page.ts';
import { sendProblem } from './verify-answers.ts';
import { RETRY_AFTER_SECONDS, type VerifyRequestDependencies, type VerifyStep } from './verify-step.ts';

/**
 * Answers when this process does not have the secret that sealed the signup. During a rotation of the secrets, another
 * node may have it. So the signup keeps waiting, and the sender can try again.
 */
export function answerUnreadable(
  step: VerifyStep,
  { settings, log }: Pick<VerifyRequestDependencies, 'settings' | 'log'>,
): void {
  const { signup, now, form } = step;
  log.error(
    { request_id: signup.requestId, key_id: signup.keyId },
    'a held signup was sealed with a secret that is not in verification.hold_secrets of this process',
  );
  if (form.json) {
    const detail = 'The signup cannot be opened now. Try again in a moment.';
    sendProblem(step, new ProblemError('overloaded', detail, { retryAfterSeconds: RETRY_AFTER_SECONDS }));
    return;
  }
  sendStatusPage(step, {
    signup,
    now,
    verification: settings().verification,
    suggestion: null,
    error: { kind: 'unreachable' },
    status: 503,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

/** Ends a claimed signup whose content was changed after it was sealed: the app can receive nothing of it. */
export async function endDamaged(
  step: VerifyStep,
  { heldSignups, log }: Pick<VerifyRequestDependencies, 'heldSignups' | 'log'>,
): Promise<void> {
  const { requestId } = step.signup;
  log.error({ request_id: requestId }, 'a held signup cannot be read');
  await heldSignups.finish(requestId);
  answerMessage(step, step.form.json, 'closed');
}
