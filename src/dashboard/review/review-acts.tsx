import type { ReviewableSignup } from '../../storage/held-signups/review-store.ts';
import { CsrfField } from '../components/act-form.tsx';
import type { ReviewAct } from './review-messages.tsx';

interface Props {
  readonly signup: ReviewableSignup;
  /** The page to return to. */
  readonly back: 'desk' | 'decision';
  readonly csrfToken: string;
  /** The name of the signup for a screen reader, when a page has several signups. */
  readonly of?: string;
}

interface Button {
  readonly act: ReviewAct;
  readonly label: string;
  readonly look: string;
}

const LET_IN: Button = { act: 'let-in', label: 'Let in', look: 'small' };
const BUTTONS: Readonly<Partial<Record<ReviewableSignup['state'], readonly Button[]>>> = {
  waiting: [
    LET_IN,
    { act: 'mail', label: 'Mail again', look: 'second small' },
    { act: 'extend', label: 'More time', look: 'second small' },
    { act: 'refuse', label: 'Refuse', look: 'danger small' },
  ],
  offered: [LET_IN],
  refused: [LET_IN, { act: 'refuse', label: 'Confirm the refusal', look: 'second small' }],
  dismissed: [{ act: 'restore', label: 'Undo the refusal', look: 'second small' }],
};

/** The actions of the staff on a held or refused signup, as one form with a button for each action. */
export function ReviewActs({ signup, back, csrfToken, of }: Props) {
  const buttons = BUTTONS[signup.state] ?? [];
  if (buttons.length === 0) return null;
  return (
    <form method="post" action={`/review/${signup.decisionId}/${buttons[0]?.act}`} class="acts">
      <CsrfField token={csrfToken} />
      <input type="hidden" name="back" value={back} />
      {buttons.map(({ act, label, look }) => (
        <button
          key={act}
          type="submit"
          class={look}
          formaction={`/review/${signup.decisionId}/${act}`}
          aria-label={of === undefined ? undefined : `${label}: ${of}`}
        >
          {label}
        </button>
      ))}
    </form>
  );
}
