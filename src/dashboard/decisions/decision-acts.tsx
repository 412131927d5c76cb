import type { StoredDecision } from '../../storage/decisions/decision-record.ts';
import { ActForm } from '../components/act-form.tsx';
import { Field, SelectField } from '../components/field.tsx';
import { offersOf } from './list-offers.ts';

/** The buttons that label a decision. The overview and the simulator use the labels. */
export function LabelForm({
  decision: { requestId, label },
  csrfToken,
}: {
  readonly decision: StoredDecision;
  readonly csrfToken: string;
}) {
  return (
    <ActForm action={`/decisions/${requestId}/label`} csrfToken={csrfToken} class="row">
      <button type="submit" name="label" value="legitimate" class="second" disabled={label === 'legitimate'}>
        Label as legitimate
      </button>
      <button type="submit" name="label" value="fraud" class="danger" disabled={label === 'fraud'}>
        Label as fraud
      </button>
      {label !== null && (
        <button type="submit" name="label" value="none" class="quiet">
          Remove the label
        </button>
      )}
    </ActForm>
  );
}

/** For operators: adds the mailbox, domain, network or AS number to a list. */
export function ListPanel({
  decision,
  csrfToken,
}: {
  readonly decision: StoredDecision;
  readonly csrfToken: string;
}) {
  return (
    <section class="panel" aria-labelledby="list-panel">
      <h2 id="list-panel">Deny or allow</h2>
      <ActForm action={`/decisions/${decision.requestId}/list`} csrfToken={csrfToken}>
        <div class="row">
          <SelectField
            name="ends"
            label="Ends"
            value=""
            options={[
              { value: '', label: 'never' },
              { value: '1', label: 'in 1 day' },
              { value: '7', label: 'in 7 days' },
              { value: '30', label: 'in 30 days' },
              { value: '365', label: 'in 1 year' },
            ]}
          />
          <Field name="note" label="Note" maxLength={300} placeholder="reason" />
        </div>
        <ul class="offers">
          {offersOf(decision).map(({ what, words, reach }) => (
            <li key={what}>
              <button
                type="submit"
                name="what"
                value={`deny ${what}`}
                class="danger small"
                data-confirm={reach}
              >
                Deny {words}
              </button>{' '}
              <button type="submit" name="what" value={`allow ${what}`} class="second small">
                Allow {words}
              </button>
              {reach !== null && <span class="hint"> {reach}</span>}
            </li>
          ))}
        </ul>
      </ActForm>
    </section>
  );
}
