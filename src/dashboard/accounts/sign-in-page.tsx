import { safeReturnPath, seeOther } from '../access.ts';
import { ActForm } from '../components/act-form.tsx';
import { Field } from '../components/field.tsx';
import { Notice } from '../components/notice.tsx';
import { sendPage } from '../page.tsx';
import type { DashboardContext, DashboardRouter } from '../router.ts';
import { clearSessionCookie } from './account-cookies.ts';
import type { AccountDependencies } from './account-dependencies.ts';
import { enter } from './enter.ts';
import { PasskeyForm, registerPasskeySignIn } from './passkeys/passkey-sign-in.tsx';
import { CurrentPasswordField } from './password-fields.tsx';
import { clientOf } from './request-client.ts';

/** The message for an unknown email and for a wrong password. It is the same, so it tells an attacker nothing. */
const REFUSED = 'The email or the password is wrong.';

export function registerSignIn(router: DashboardRouter, dependencies: AccountDependencies): void {
  router.get('/sign-in', async (context) => {
    const next = safeReturnPath(firstOf(context.query.next));
    if (context.state.viewer) {
      seeOther(context, next);
      return;
    }
    const isUnsaved = context.query.unsaved === '1';
    await sendSignInPage(context, dependencies, { email: '', next, isUnsaved });
  });
  router.post('/sign-in', (context) => signIn(context, dependencies));
  registerPasskeySignIn(router, dependencies, (context, error) => {
    const next = safeReturnPath(context.state.form.text('next'));
    return sendSignInPage(context, dependencies, { email: '', next, error });
  });
  router.post('/sign-out', async (context) => {
    const { viewer } = context.state;
    if (viewer) await dependencies.accounts.sessions.end(viewer);
    clearSessionCookie(context, dependencies.publicUrl());
    seeOther(context, '/sign-in');
  });
}

async function signIn(context: DashboardContext, dependencies: AccountDependencies): Promise<void> {
  const { form } = context.state;
  const email = form.text('email');
  const next = safeReturnPath(form.text('next'));
  const password = form.raw('password');
  const entered = await dependencies.accounts.signIn({ email, password }, clientOf(context, dependencies));
  if (entered) enter(context, { entered, next, publicUrl: dependencies.publicUrl() });
  else await sendSignInPage(context, dependencies, { email, next, error: REFUSED });
}

interface SignInPage {
  readonly email: string;
  readonly next: string;
  /** The visitor sent a form after the end of the session. */
  readonly isUnsaved?: boolean;
  readonly error?: string;
}

async function sendSignInPage(
  context: DashboardContext,
  { records, config, accounts }: AccountDependencies,
  { email, next, isUnsaved = false, error }: SignInPage,
): Promise<void> {
  const hasOperator = await records.users.hasOperator();
  const isOpen = config().dashboard.registration === 'open';
  sendPage(context, {
    title: 'Sign in',
    scripts: ['passkey.js'],
    status: error === undefined ? 200 : 403,
    content: (
      <div class="narrow">
        <h1>Sign in</h1>
        {error !== undefined && (
          <Notice kind="error">
            <p>{error}</p>
          </Notice>
        )}
        {isUnsaved && (
          <Notice kind="warning">
            <p>Your session has ended, so nothing was changed. Sign in and send the form again.</p>
          </Notice>
        )}
        {!hasOperator && (
          <Notice kind="warning">
            <p>
              There is no operator yet. Open the set-up link that <code>gatekeeper serve</code> printed. A
              restart prints a new link.
            </p>
          </Notice>
        )}
        <ActForm action="/sign-in" csrfToken={context.state.csrfToken}>
          <input type="hidden" name="next" value={next} />
          <Field name="email" label="Email" type="email" value={email} autocomplete="username" required />
          <CurrentPasswordField name="password" label="Password" />
          <button type="submit">Sign in</button>
        </ActForm>
        {accounts.passkeys.isAvailable() && <PasskeyForm next={next} csrfToken={context.state.csrfToken} />}
        <p>
          <a href="/forgotten">Forgot your password?</a>
        </p>
        {isOpen && (
          <p>
            No account yet? <a href="/register">Register</a>
          </p>
        )}
      </div>
    ),
  });
}

function firstOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
