import { readEmail } from '../../accounts/read-email.ts';
import { safeReturnPath, seeOther } from '../access.ts';
import { ActForm } from '../components/act-form.tsx';
import { Field } from '../components/field.tsx';
import { Notice } from '../components/notice.tsx';
import { sendPage } from '../page.tsx';
import type { DashboardContext, DashboardRouter } from '../router.ts';
import type { PeopleDependencies } from './account-dependencies.ts';
import { closeSession, openSession } from './browser-session.ts';
import { checkPassword } from './check-password.ts';
import { knownBrowserOf } from './known-browser.ts';
import { readPassword } from './password-rules.ts';
import { clientIp, originOf } from './request-client.ts';

/** The same for an email without account and for a wrong password. */
const REFUSED = 'The email or the password is not right.';

export function registerSignIn(router: DashboardRouter, parts: PeopleDependencies): void {
  router.get('/sign-in', async (context) => {
    const next = safeReturnPath(firstOf(context.query.next));
    if (context.state.viewer) {
      seeOther(context, next);
      return;
    }
    await sendSignInPage(context, parts, { email: '', next });
  });
  router.post('/sign-in', (context) => signIn(context, parts));
  router.post('/sign-out', async (context) => {
    await closeSession(context, parts);
    seeOther(context, '/sign-in');
  });
}

async function signIn(context: DashboardContext, parts: PeopleDependencies): Promise<void> {
  const { form } = context.state;
  const typed = form.text('email');
  const password = readPassword(form, 'password');
  const next = safeReturnPath(form.text('next'));
  const email = readEmail(typed)?.text ?? typed;
  const origin = originOf(clientIp(context, parts.config()));
  const found = await parts.records.people.findPassword(email);
  const stored = found?.password ?? null;
  const guesser = { account: email, origin, browser: knownBrowserOf(context, found?.account ?? null, parts) };
  const isRight = await checkPassword({ guesser, password, stored }, parts);
  // A password that was changed while this one was compared is another one: wrong as well.
  if (isRight && found && (await openSession(context, found.account, parts))) {
    seeOther(context, next);
    return;
  }
  await sendSignInPage(context, parts, { email: typed, next, error: REFUSED });
}

async function sendSignInPage(
  context: DashboardContext,
  { records, config }: PeopleDependencies,
  { email, next, error }: { readonly email: string; readonly next: string; readonly error?: string },
): Promise<void> {
  const hasOperator = await records.people.hasOperator();
  const isOpen = config().dashboard.registration === 'open';
  sendPage(context, {
    title: 'Sign in',
    status: error === undefined ? 200 : 403,
    content: (
      <div class="narrow">
        <h1>Sign in</h1>
        {error !== undefined && (
          <Notice kind="error">
            <p>{error}</p>
          </Notice>
        )}
        {!hasOperator && (
          <Notice kind="warning">
            <p>
              There is no operator yet. Open the set-up link that <code>gatekeeper serve</code> printed, or
              start it again for a new one.
            </p>
          </Notice>
        )}
        <ActForm action="/sign-in" csrfToken={context.state.csrfToken}>
          <input type="hidden" name="next" value={next} />
          <Field name="email" label="Email" type="email" value={email} autocomplete="username" required />
          <Field name="password" label="Password" type="password" autocomplete="current-password" required />
          <button type="submit">Sign in</button>
        </ActForm>
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
