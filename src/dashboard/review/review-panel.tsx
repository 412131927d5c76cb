import type { SignupReview } from '../../storage/held-signups/review-store.ts';
import { Time } from '../components/time.tsx';
import { ReviewActs } from './review-acts.tsx';
import { ReviewRecordText } from './review-record.tsx';

interface Props {
  readonly review: SignupReview | null;
  /** The name of the account with the last action. */
  readonly actor: string;
  readonly csrfToken: string;
}

/** The panel on the page of a decision: the held or refused request, and the possible actions of the staff. */
export function ReviewPanel({ review, actor, csrfToken }: Props) {
  const signup = review?.signup ?? null;
  const record = review?.record ?? null;
  return (
    <section class="panel" aria-labelledby="review-panel">
      <h2 id="review-panel">Review</h2>
      <p>{record ? <ReviewRecordText record={record} actor={actor} /> : <StateText signup={signup} />}</p>
      {signup && <ReviewActs signup={signup} back="decision" csrfToken={csrfToken} />}
    </section>
  );
}

const MAILS = { queued: 'on its way', sent: 'sent', failed: 'not delivered' } as const;

function StateText({ signup }: { readonly signup: SignupReview['signup'] }) {
  if (!signup) {
    return (
      <>
        The request is not kept, so it cannot be let in. Allow the mailbox, then ask the customer to sign up
        again.
      </>
    );
  }
  const until = <Time at={signup.expiresAt} exact />;
  switch (signup.state) {
    case 'waiting':
      return (
        <>
          The signup waits for its sender until {until}. The last mail is {MAILS[signup.mailState]}.
        </>
      );
    case 'refused':
    case 'offered':
      return <>The refused request is kept until {until}.</>;
    case 'claimed':
      return <>The signup is on its way to the app.</>;
    default:
      return <>The request was deleted after it was used or refused.</>;
  }
}
