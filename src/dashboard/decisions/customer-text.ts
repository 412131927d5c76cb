import { referenceOf } from '../../http/reference.ts';
import type { StoredDecision } from '../../storage/decisions/decision-record.ts';
import type { ReviewRecord } from '../../storage/held-signups/review-store.ts';

/**
 * A reply to a customer who asks about a signup. It has no reason and no score, since both would help an attacker.
 */
export function customerText(
  {
    requestId,
    processedAt,
    action,
    outcome,
  }: Pick<StoredDecision, 'requestId' | 'processedAt' | 'action' | 'outcome'>,
  review: Pick<ReviewRecord, 'act' | 'result' | 'status'> | null = null,
): string {
  const iso = new Date(processedAt).toISOString();
  const when = `${iso.slice(0, 10)} at ${iso.slice(11, 16)} UTC`;
  return [
    `We received your signup on ${when}. ${reviewed(review) ?? whatHappened(action, outcome)}`,
    `If you have a question, reply and quote this reference: ${referenceOf(requestId) ?? requestId}`,
  ].join('\n');
}

const SENT =
  'It waits for your confirmation. Open the mail that we sent to you, and use its link or its code. If you cannot find it, check your spam folder.';
const AFTER_VERIFICATION: Readonly<Record<string, string>> = {
  verified: 'You confirmed your email address, and the signup was completed.',
  expired: 'It was not confirmed in time. Sign up again, then use the link or the code in our mail.',
  locked: 'There were too many wrong codes. Sign up again, then use the link or the code in our new mail.',
  reported: 'The owner of the mailbox reported that the signup was not their own, so it was not completed.',
};

/** The action of the staff on the signup, and the answer of the app. */
function reviewed(review: Pick<ReviewRecord, 'act' | 'result' | 'status'> | null): string | null {
  if (review === null) return null;
  if (review.act === 'refused') return 'We have looked at it again and did not accept it.';
  const isAccepted = review.result === 'answered' && review.status !== null && review.status < 400;
  return isAccepted
    ? 'We have looked at it and completed it. You can sign in now.'
    : 'We have looked at it and sent it on. Try to sign in. If that does not work, sign up again.';
}

/** After the gate has forwarded a signup, or after an answer of the API, the app decides. */
function whatHappened(action: StoredDecision['action'], outcome: string | null): string {
  if (action === 'block') return 'An automatic check did not accept it. We can check it again for you.';
  if (action === 'verify') return AFTER_VERIFICATION[outcome ?? ''] ?? SENT;
  return action === 'forward' ? 'It passed our automatic check.' : 'It was checked automatically.';
}
