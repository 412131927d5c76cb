import { CsrfField } from '../../components/act-form.tsx';
import { Notice } from '../../components/notice.tsx';
import { AddPasskeyForm, type PasskeyProblems } from '../passkeys/add-passkey-form.tsx';

/** The page for a user who signed in with only a password when two-factor is required. */
export interface OwedFactor {
  /** Whether the user has a passkey. Then the user must confirm with it before anything else. */
  readonly hasPasskey: boolean;
  /** Whether browsers make passkeys for the URL of the dashboard. */
  readonly canAddPasskeys: boolean;
  /** The reason why the new passkey was refused. */
  readonly problems?: PasskeyProblems;
  /** The reason why the known passkey was refused. */
  readonly problem?: string;
}

export function OwedNotice({ owed: { hasPasskey, canAddPasskeys } }: { readonly owed: OwedFactor }) {
  return (
    <Notice kind="warning">
      <p>
        {hasPasskey
          ? 'Two-factor is required here. Confirm with your passkey to open the other pages.'
          : canAddPasskeys
            ? 'Two-factor is required here. Choose an authenticator app or a passkey to open the other pages.'
            : 'Two-factor is required here. Set it up to open the other pages.'}
      </p>
    </Notice>
  );
}

/** For a user who has a passkey: a thief of the password must not set up a second factor beside it. */
export function ConfirmPanel({
  csrfToken,
  problem,
}: {
  readonly csrfToken: string;
  readonly problem: string | undefined;
}) {
  return (
    <section class="panel" aria-labelledby="confirm-heading">
      <h2 id="confirm-heading">Your passkey</h2>
      <form
        method="post"
        action="/account/two-factor/confirm"
        data-passkey="get"
        data-options="/account/two-factor/confirm/options"
        hidden
      >
        <CsrfField token={csrfToken} />
        <input type="hidden" name="response" value="" />
        <p class="error" role="alert" data-passkey-problem>
          {problem ?? ''}
        </p>
        <button type="submit">Confirm with your passkey</button>
      </form>
      <p class="hint" data-without-passkeys>
        This needs a browser with passkeys and scripts.
      </p>
      <p class="hint">The passkey is lost? Ask an operator to remove your second factor.</p>
    </section>
  );
}

/** The first passkey as the second factor. */
export function FirstPasskeyPanel(props: { readonly csrfToken: string; readonly problems: PasskeyProblems }) {
  return (
    <section class="panel" aria-labelledby="passkey-heading">
      <h2 id="passkey-heading">Passkey</h2>
      <p>
        Your phone or computer unlocks a passkey with your fingerprint, face or PIN. It also signs you in
        without a password.
      </p>
      <AddPasskeyForm {...props} action="/account/two-factor/passkey" needsCode={false} />
      <p class="hint">This signs out all other sessions.</p>
    </section>
  );
}
