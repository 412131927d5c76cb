import { ActForm } from '../components/act-form.tsx';
import { Notice } from '../components/notice.tsx';
import { Time } from '../components/time.tsx';
import type { DashboardContext } from '../router.ts';

export type ReviewAct = 'let-in' | 'mail' | 'extend' | 'shorten' | 'refuse' | 'restore';

/** The result of an action, from the URL of the next page. */
export interface ReviewDone {
  readonly done: keyof typeof MESSAGES;
  /** The end of the signup before and after it was given more time. */
  readonly from?: number;
  readonly to?: number;
}

export interface ReviewMessage extends ReviewDone {
  /** The request id of the decision. */
  readonly of: string;
}

const MESSAGES = {
  'let-in': { kind: 'done', text: 'The signup was sent to the app.' },
  unreachable: {
    kind: 'error',
    text: 'The app cannot be reached, and nothing was sent. The signup can still be let in: try again in a moment.',
  },
  unreadable: {
    kind: 'error',
    text: 'The request cannot be decrypted: its key is missing in verification.hold_secrets of this node.',
  },
  closed: {
    kind: 'warning',
    text: 'Nothing was changed: the signup was confirmed, let in or refused in the meantime, or it has expired.',
  },
  mailed: {
    kind: 'done',
    text: 'A mail with a new code is on its way. The code of the last mail no longer works.',
  },
  'too-soon': {
    kind: 'warning',
    text: 'The last mail was sent less than a minute ago. Wait before you send another.',
  },
  budget: {
    kind: 'warning',
    text: 'No mail was sent: the limit of mails in an hour is reached for this mailbox, this sender or the site.',
  },
  'no-more': { kind: 'warning', text: 'No mail was sent: the limit of mails for this signup is reached.' },
  extended: { kind: 'done', text: 'The signup has more time.' },
  'not-extended': {
    kind: 'warning',
    text: 'The time was not extended: the signup no longer waits, or it has reached the limit of one day.',
  },
  refused: { kind: 'done', text: 'The signup was refused. The app did not receive it.' },
  undone: { kind: 'done', text: 'The last change was undone.' },
} as const;

/** Null when the URL has no result of an action. */
export function readReviewMessage({ query, params }: DashboardContext): ReviewMessage | null {
  const text = (name: string) => (typeof query[name] === 'string' ? query[name] : '');
  const done = text('done');
  const of = params.id ?? text('of');
  if (!Object.hasOwn(MESSAGES, done) || !/^[\da-f-]{36}$/.test(of)) return null;
  const times = ['from', 'to'].map((name) => (/^\d{1,14}$/.test(text(name)) ? Number(text(name)) : null));
  const [from, to] = times;
  return {
    done: done as keyof typeof MESSAGES,
    of,
    ...(from != null && to != null && { from, to }),
  };
}

/** The result of the last action, with a button that undoes it if this is possible. */
export function ReviewNotice(props: {
  readonly message: ReviewMessage;
  /** The page to return to. */
  readonly back: 'desk' | 'decision';
  readonly csrfToken: string;
}) {
  const { message, back, csrfToken } = props;
  const { kind, text } = MESSAGES[message.done];
  const { from, to } = message;
  return (
    <Notice kind={kind}>
      <p>
        {text}{' '}
        {to !== undefined && message.done === 'extended' && (
          <>
            It now waits until <Time at={to} exact />.
          </>
        )}
        {back === 'desk' && (
          <>
            {' '}
            <a href={`/decisions/${message.of}`}>Show the decision</a>
          </>
        )}
      </p>
      {message.done === 'extended' && from !== undefined && (
        <ActForm action={`/review/${message.of}/shorten`} csrfToken={csrfToken}>
          <input type="hidden" name="from" value={from} />
          <input type="hidden" name="to" value={to} />
          <input type="hidden" name="back" value={back} />
          <button type="submit" class="second small">
            Undo
          </button>
        </ActForm>
      )}
      {message.done === 'refused' && (
        <ActForm action={`/review/${message.of}/restore`} csrfToken={csrfToken}>
          <input type="hidden" name="back" value={back} />
          <button type="submit" class="second small">
            Undo
          </button>
        </ActForm>
      )}
    </Notice>
  );
}
