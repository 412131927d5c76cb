import { CsrfField } from '../../components/act-form.tsx';
import { Field } from '../../components/field.tsx';
import { CurrentPasswordField } from '../password-fields.tsx';

/** The reason why a passkey was not added. */
export interface PasskeyProblems {
  readonly password?: string | undefined;
  readonly code?: string | undefined;
  readonly response?: string | undefined;
}

/** The script of the page shows the form when the browser supports passkeys. */
export function AddPasskeyForm({
  action,
  csrfToken,
  needsCode,
  problems,
}: {
  /** The URL of the form. The options are at `options` below this URL. */
  readonly action: string;
  readonly csrfToken: string;
  readonly needsCode: boolean;
  readonly problems: PasskeyProblems;
}) {
  return (
    <>
      <form method="post" action={action} data-passkey="create" data-options={`${action}/options`} hidden>
        <CsrfField token={csrfToken} />
        <input type="hidden" name="response" value="" />
        <Field
          name="passkey-name"
          label="Name of the passkey"
          hint="For example the device. If you leave this empty, the name of the browser is used."
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
