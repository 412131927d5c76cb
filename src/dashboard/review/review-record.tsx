import type { ReviewRecord } from '../../storage/held-signups/review-store.ts';
import { Time } from '../components/time.tsx';

/** The user who accepted or refused a signup, the time, and the answer of the app. */
export function ReviewRecordText({
  record,
  actor,
}: {
  readonly record: ReviewRecord;
  readonly actor: string;
}) {
  const { act, reviewedAt } = record;
  return (
    <>
      {act === 'let_in' ? 'Let in' : 'Refused'} by {actor}, <Time at={reviewedAt} />.{' '}
      {act === 'let_in' && answerOf(record)}
    </>
  );
}

function answerOf({ result, status }: Pick<ReviewRecord, 'result' | 'status'>): string {
  if (result === null) {
    return 'The answer of the app is not known. The signup is not sent again: look for the account in the app.';
  }
  if (status === null) {
    return 'The app gave no answer, but may have received the signup. It is not sent again: look for the account in the app.';
  }
  return status < 400
    ? `The app accepted it and answered ${status}.`
    : `The app refused it and answered ${status}. Ask the customer to sign up again.`;
}
