import type { Passkey } from '../../../storage/accounts/passkey-store.ts';
import { ActForm, CsrfField } from '../../components/act-form.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Field } from '../../components/field.tsx';
import { Time } from '../../components/time.tsx';
import { CurrentPasswordField } from '../password-fields.tsx';

/** Why a passkey was not added. */
export interface PasskeyProblems {
  readonly password?: string | undefined;
  readonly code?: string | undefined;
  readonly response?: string | undefined;
}

/** The passkeys of the viewer. */
export function PasskeysSection(props: {
  readonly passkeys: readonly Passkey[];
  readonly canAddPasskeys: boolean;
  /** Two-factor is on: a new passkey needs a code. */
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
          <AddForm csrfToken={csrfToken} needsCode={needsCode} problems={problems} />
        ) : (
          <p class="hint">
            Passkeys need a host name: set <code>dashboard.public_url</code> to an https URL, or open the
            dashboard on localhost.
          </p>
        )}
      </div>
    </section>
  );
}

function AddForm({
  csrfToken,
  needsCode,
  problems,
}: {
  readonly csrfToken: string;
  readonly needsCode: boolean;
  readonly problems: PasskeyProblems;
}) {
  return (
    <>
      <form
        method="post"
        action="/account/passkeys"
        data-passkey="create"
        data-options="/account/passkeys/options"
        hidden
      >
        <CsrfField token={csrfToken} />
        <input type="hidden" name="response" value="" />
        <Field
          name="passkey-name"
          label="Name of the passkey"
          hint="Such as the device. Left out: the browser."
          autocomplete="off"
          maxLength={60}
        />
        <CurrentPasswordField name="passkey-password" label="Your password" error={problems.password} />
        {needsCode && (
          <Field
            name="passkey-code"
            label="Code"
            hint="Of your authenticator app, or a recovery code."
            error={problems.code}
            autocomplete="one-time-code"
            maxLength={64}
            required
          />
        )}
        <p class="error" role="alert" data-passkey-problem>
          {problems.response ?? ''}
        </p>
        <button type="submit">Add a passkey</button>
      </form>
      <p class="hint" data-without-passkeys>
        Adding a passkey needs a browser with passkeys and scripts.
      </p>
    </>
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
