import { ProblemError } from '../http/problem.ts';
import { answerEnded } from './answer-ended.ts';
import { messagePage } from './pages/message-page.tsx';
import { orTryAgain } from './storage-failure.ts';
import { placeOf, sendJson, sendPage } from './verify-answers.ts';
import type { VerifyRequestDependencies, VerifyStep } from './verify-step.ts';

/**
 * "This was not me": drops the signup. Only the link in the mail can do this, since it proves access to the mailbox.
 * The code page belongs to the sender of the signup. Reports from there would make the labels wrong.
 */
export function createReporting(
  dependencies: VerifyRequestDependencies,
): (step: VerifyStep) => Promise<void> {
  const { heldSignups, metrics, log } = dependencies;

  return async function report(step) {
    const { signup, form, now } = step;
    const { requestId } = signup;
    if (signup.by !== 'link') {
      throw new ProblemError('invalid_request', 'Only the link in the mail can report a signup.');
    }
    if (!(await orTryAgain(() => heldSignups.report(requestId, now)))) {
      await answerEnded(step, dependencies);
      return;
    }
    metrics.step('reported');
    log.info({ request_id: requestId }, 'a held signup was reported by the owner of the mailbox');
    if (form.json) sendJson(step, 200, { reported: true });
    else sendPage(step, { status: 200, page: messagePage(placeOf(step), 'reported') });
  };
}
