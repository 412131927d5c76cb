import type { Passkey } from '../../../storage/accounts/passkey-store.ts';
import { ActForm } from '../../components/act-form.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Time } from '../../components/time.tsx';
import { AddPasskeyForm, type PasskeyProblems } from './add-passkey-form.tsx';

/** The passkeys of the viewer. */
export function PasskeysSection(props: {
  readonly passkeys: readonly Passkey[];
  readonly canAddPasskeys: boolean;
  /** Whether two-factor is on. Then a new passkey needs a code. */
  readonly needsCode: boolean;
  readonly csrfToken: string;
  readonly problems: PasskeyProblems | undefined;
}) {
  const { passkeys, canAddPasskeys, needsCode, csrfToken, problems = {} } = props;
  return (
    <section aria-labelledby="passkeys-heading">
      <h2 id="passkeys-heading">Passkeys</h2>
      {passkeys.length > 0 && <PasskeysTable passkeys={passkeys} csrfToken={csrfToken} />}
      <div class="panel">
        <p>
          A passkey signs you in without a password: your phone or computer unlocks it with your fingerprint,
          face or PIN. It also counts as a second factor.
        </p>
        {canAddPasskeys ? (
          <AddPasskeyForm
            action="/account/passkeys"
            csrfToken={csrfToken}
            needsCode={needsCode}
            problems={problems}
          />
        ) : (
          <p class="hint">
            Passkeys need a host name: set <code>dashboard.public_url</code> to the https URL of the
            dashboard, or to <code>http://localhost:8081</code> to try them on this machine.
          </p>
        )}
      </div>
    </section>
  );
}

function PasskeysTable(props: { readonly passkeys: readonly Passkey[]; readonly csrfToken: string }) {
  return (
    <DataTable caption="Your passkeys" cards columns={['Passkey', 'Creation', 'Last sign-in', 'Action']}>
      {props.passkeys.map(({ id, name, createdAt, lastUsedAt }) => (
        <tr key={id}>
          <td class="long">{name}</td>
          <td>
            <Time at={createdAt} />
          </td>
          <td>{lastUsedAt === null ? <span class="nothing">never</span> : <Time at={lastUsedAt} />}</td>
          <td>
            <ActForm action="/account/passkeys/remove" csrfToken={props.csrfToken}>
              <button
                type="submit"
                class="small second"
                name="id"
                value={id}
                data-confirm={`Remove the passkey ${name}?`}
              >
                Remove
              </button>
            </ActForm>
          </td>
        </tr>
      ))}
    </DataTable>
  );
}
