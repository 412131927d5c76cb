import type { LinkProblems } from '../../accounts/link-redemption.ts';
import type { AccountToken } from '../../storage/accounts/account-token-store.ts';
import { ActForm } from '../components/act-form.tsx';
import { Field } from '../components/field.tsx';
import { sendPage } from '../page.tsx';
import type { DashboardContext } from '../router.ts';
import { HiddenEmail, NewPasswordField } from './password-fields.tsx';

/** A refused form: the email as typed, and the problems of the input. */
interface RefusedInput {
  readonly email: string;
  readonly problems: LinkProblems;
}

const HEADINGS = {
  'set-up': 'Welcome to Gatekeeper',
  registration: 'Welcome to Gatekeeper',
  'password-reset': 'Choose a new password',
  'email-change': 'Confirm your email',
} as const;

/** The page of a valid link. */
export function sendOpenLinkPage(
  context: DashboardContext,
  link: AccountToken,
  refused?: RefusedInput,
): void {
  const heading = HEADINGS[link.kind];
  sendPage(context, {
    title: heading,
    status: refused ? 400 : 200,
    content: (
      <div class="narrow">
        <h1>{heading}</h1>
        <ActForm action={context.path} csrfToken={context.state.csrfToken}>
          {link.kind === 'email-change' ? (
            <>
              <p>
                From now on you sign in as <strong>{link.email}</strong>.
              </p>
              <button type="submit">Confirm this email</button>
            </>
          ) : (
            <PasswordForm link={link} refused={refused} />
          )}
        </ActForm>
      </div>
    ),
  });
}

function PasswordForm({
  link,
  refused,
}: {
  readonly link: AccountToken;
  readonly refused: RefusedInput | undefined;
}) {
  return (
    <>
      {link.email === null ? (
        <>
          <p>This creates the first account: an operator, who can see and change everything.</p>
          <Field
            name="email"
            label="Email"
            type="email"
            value={refused?.email ?? ''}
            error={refused?.problems.email}
            autocomplete="username"
            required
          />
        </>
      ) : (
        <>
          <p>
            You sign in as <strong>{link.email}</strong>.
          </p>
          <HiddenEmail email={link.email} />
        </>
      )}
      <NewPasswordField label="Password" error={refused?.problems.password} />
      <button type="submit">
        {link.kind === 'password-reset' ? 'Set the password' : 'Set up my account'}
      </button>
    </>
  );
}

/** One page for used, expired, changed and invented links. */
export function sendClosedLinkPage(context: DashboardContext): void {
  sendPage(context, {
    title: 'This link does not work',
    status: 410,
    content: (
      <div class="narrow">
        <h1>This link does not work</h1>
        <p>
          This link is not complete, has expired or was used before. A link works once and for a limited time.
        </p>
        <p>
          <a href="/sign-in">Sign in</a>, or <a href="/forgotten">get a new link by mail</a>.
        </p>
      </div>
    ),
  });
}

/** The email already has an account: created in another tab, or by an email change. */
export function sendTakenPage(context: DashboardContext): void {
  sendPage(context, {
    title: 'This account already exists',
    status: 409,
    content: (
      <div class="narrow">
        <h1>This account already exists</h1>
        <p>This email already has an account. Nothing was changed.</p>
        <p>
          <a href="/sign-in">Sign in</a>, or <a href="/forgotten">choose a new password</a>.
        </p>
      </div>
    ),
  });
}
