import type { StoredDecision } from '../../storage/decisions/decision-record.ts';
import { ActForm } from '../components/act-form.tsx';
import { Field, SelectField } from '../components/field.tsx';
import { offersOf } from './list-offers.ts';

/** What somebody knows better than any processor: it is counted on the overview, and used by the simulator. */
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
        It was legitimate
      </button>
      <button type="submit" name="label" value="fraud" class="danger" disabled={label === 'fraud'}>
        It was fraud
      </button>
      {label !== null && (
        <button type="submit" name="label" value="none" class="quiet">
          Take the label off
        </button>
      )}
    </ActForm>
  );
}

/** For operators: the next signup of the same mailbox, domain, network or operator of networks. */
export function ListPanel({
  decision,
  csrfToken,
}: {
  readonly decision: StoredDecision;
  readonly csrfToken: string;
}) {
  return (
    <section class="panel" aria-labelledby="list-panel">
      <h2 id="list-panel">Deny or allow from now on</h2>
      <ActForm action={`/decisions/${decision.requestId}/list`} csrfToken={csrfToken}>
        <div class="row">
          <SelectField
            name="ends"
            label="Ends"
            value=""
            options={[
              { value: '', label: 'when it is removed' },
              { value: '1', label: 'in a day' },
              { value: '7', label: 'in 7 days' },
              { value: '30', label: 'in 30 days' },
              { value: '365', label: 'in a year' },
            ]}
          />
          <Field name="note" label="Note" maxLength={300} placeholder="why" />
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
