import type { Role } from '../../storage/accounts/account-store.ts';
import type { StoredDecision } from '../../storage/decisions/decision-record.ts';
import type { SignupReview } from '../../storage/held-signups/review-store.ts';
import { ActForm } from '../components/act-form.tsx';
import { ExpiryField } from '../components/expiry-field.tsx';
import { Field } from '../components/field.tsx';
import { customerText } from './customer-text.ts';
import { mayAdd, offersOf } from './list-offers.ts';

interface Props {
  readonly decision: StoredDecision;
  readonly csrfToken: string;
}

/** The buttons that label a decision. The overview and the simulator use the labels. */
export function LabelPanel({ decision: { requestId, label }, csrfToken }: Props) {
  return (
    <section class="panel" aria-labelledby="label-panel">
      <h2 id="label-panel">Was this decision right?</h2>
      <p>{label === null ? 'This decision has no label yet.' : `Label: ${label}.`}</p>
      <ActForm action={`/decisions/${requestId}/label`} csrfToken={csrfToken} class="row">
        <button
          type="submit"
          name="label"
          value="legitimate"
          class="second small"
          disabled={label === 'legitimate'}
        >
          Label as legitimate
        </button>
        <button type="submit" name="label" value="fraud" class="danger small" disabled={label === 'fraud'}>
          Label as fraud
        </button>
        {label !== null && (
          <button type="submit" name="label" value="none" class="quiet small">
            Remove the label
          </button>
        )}
      </ActForm>
    </section>
  );
}

/**
 * Adds the mailbox, domain, network or AS number to a list; support may only allow the mailbox. The next page offers to
 * undo it.
 */
export function ListPanel({ decision, role, csrfToken }: Props & { readonly role: Role }) {
  const offers = offersOf(decision).filter(({ what }) => mayAdd(role, 'allow', what));
  if (offers.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="list-panel">
      <h2 id="list-panel">{role === 'operator' ? 'Deny or allow' : 'Allow'}</h2>
      <ActForm action={`/decisions/${decision.requestId}/list`} csrfToken={csrfToken}>
        <div class="row">
          <ExpiryField days="" />
          <Field name="note" label="Note" maxLength={300} placeholder="reason" />
        </div>
        <ul class="offers">
          {offers.map(({ what, words, reach }) => (
            <li key={what}>
              <div>
                <strong>{words}</strong>
                {reach !== null && <p class="hint">{reach}</p>}
              </div>
              {mayAdd(role, 'deny', what) && (
                <button
                  type="submit"
                  name="what"
                  value={`deny ${what}`}
                  class="danger small"
                  aria-label={`Deny ${words}`}
                >
                  Deny
                </button>
              )}
              <button
                type="submit"
                name="what"
                value={`allow ${what}`}
                class="second small"
                aria-label={`Allow ${words}`}
              >
                Allow
              </button>
            </li>
          ))}
        </ul>
      </ActForm>
    </section>
  );
}

/** Removes the entry that was just added, and returns to the decision. */
export function UndoForm(props: {
  readonly entry: string;
  readonly requestId: string;
  readonly csrfToken: string;
}) {
  return (
    <ActForm action={`/decisions/${props.requestId}/unlist`} csrfToken={props.csrfToken}>
      <button type="submit" name="entry" value={props.entry} class="second small">
        Undo
      </button>
    </ActForm>
  );
}

/** A reply for a customer who asks about this signup. */
export function CustomerPanel({
  decision,
  review,
}: Pick<Props, 'decision'> & { readonly review: SignupReview | null }) {
  return (
    <section class="panel" aria-labelledby="customer-panel">
      <h2 id="customer-panel">Reply to the customer</h2>
      <p class="hint">It names no reasons: they would help attackers.</p>
      <p class="reply" id="customer-text">
        {customerText(decision, review?.record ?? null)}
      </p>
      <button type="button" class="second small" data-act="copy" data-from="customer-text" hidden>
        Copy the reply
      </button>
    </section>
  );
}
