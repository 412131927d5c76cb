import { safeReturnPath, seeOther } from '../../access.ts';
import { CsrfField } from '../../components/act-form.tsx';
import type { DashboardContext, DashboardRouter } from '../../router.ts';
import { clearPendingCookie, keepSignedIn } from '../account-cookies.ts';
import type { AccountDependencies } from '../account-dependencies.ts';
import { clientOf } from '../request-client.ts';

/** The message for an unknown passkey and for a wrong signature. It is the same, so it tells an attacker nothing. */
const REFUSED = 'This passkey does not open an account here. Sign in with your password.';

/** @param refuse Sends the page of the form again, with the reason. */
export function registerPasskeySignIn(
  router: DashboardRouter,
  dependencies: AccountDependencies,
  refuse: (context: DashboardContext, problem: string) => Promise<void>,
): void {
  const { accounts, publicUrl } = dependencies;

  router.post('/sign-in/passkey/options', async (context) => {
    context.body = await accounts.passkeys.beginSignIn();
  });

  router.post('/sign-in/passkey', async (context) => {
    const { form } = context.state;
    const client = clientOf(context, dependencies);
    const signedIn = await accounts.passkeys.signIn(form.raw('response'), client);
    if (!signedIn) return refuse(context, REFUSED);
    clearPendingCookie(context, publicUrl());
    keepSignedIn(context, publicUrl(), signedIn);
    seeOther(context, safeReturnPath(form.text('next')));
  });
}

/** The button that signs in with a passkey. The script of the page shows it when the browser supports passkeys. */
export function PasskeyForm({ next, csrfToken }: { readonly next: string; readonly csrfToken: string }) {
  return (
    <form
      class="passkey-form"
      method="post"
      action="/sign-in/passkey"
      data-passkey="get"
      data-options="/sign-in/passkey/options"
      hidden
    >
      <CsrfField token={csrfToken} />
      <input type="hidden" name="next" value={next} />
      <input type="hidden" name="response" value="" />
      <button type="submit" class="second">
        Sign in with a passkey
      </button>
      <p class="error" role="alert" data-passkey-problem />
    </form>
  );
}
