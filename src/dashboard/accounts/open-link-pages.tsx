import type { AccountToken } from '../../storage/accounts/people-records.ts';
import { ActForm } from '../components/act-form.tsx';
import { Field } from '../components/field.tsx';
import { sendPage } from '../page.tsx';
import type { DashboardContext } from '../router.ts';
import { MIN_PASSWORD_LENGTH, PASSWORD_HINT } from './password-rules.ts';

/** What was typed into the form of a link, and what is wrong with it. */
export interface LinkMistakes {
  readonly email?: string;
  readonly emailError?: string | undefined;
  readonly passwordError?: string | undefined;
}

const HEADINGS = {
  'set-up': 'Welcome to Gatekeeper',
  registration: 'Welcome to Gatekeeper',
  'password-reset': 'Choose a new password',
  'email-change': 'Confirm your email',
} as const;

/** The page of a link that works: its form does what it is for. */
export function sendLinkPage(
  context: DashboardContext,
  token: AccountToken,
  mistakes: LinkMistakes = {},
): void {
  const { emailError, passwordError } = mistakes;
  const heading = HEADINGS[token.kind];
  sendPage(context, {
    title: heading,
    status: emailError === undefined && passwordError === undefined ? 200 : 400,
    content: (
      <div class="narrow">
        <h1>{heading}</h1>
        <ActForm action={context.path} csrfToken={context.state.csrfToken}>
          {token.kind === 'email-change' ? (
            <>
              <p>
                From now on you sign in as <strong>{token.email}</strong>.
              </p>
              <button type="submit">Confirm this email</button>
            </>
          ) : (
            <PasswordForm token={token} mistakes={mistakes} />
          )}
        </ActForm>
      </div>
    ),
  });
}

function PasswordForm({
  token,
  mistakes,
}: {
  readonly token: AccountToken;
  readonly mistakes: LinkMistakes;
}) {
  return (
    <>
      {token.email === null ? (
        <>
          <p>
            You are the first one here: this makes the account of the operator, who sees and may do
            everything.
          </p>
          <Field
            name="email"
            label="Email"
            type="email"
            value={mistakes.email ?? ''}
            error={mistakes.emailError}
            autocomplete="username"
            required
          />
        </>
      ) : (
        <>
          <p>
            You sign in as <strong>{token.email}</strong>.
          </p>
          {/* Password managers save the two together. */}
          <input type="text" value={token.email} autocomplete="username" hidden readonly />
        </>
      )}
      <Field
        name="password"
        label="Password"
        type="password"
        hint={PASSWORD_HINT}
        error={mistakes.passwordError}
        autocomplete="new-password"
        minLength={MIN_PASSWORD_LENGTH}
        required
      />
      <button type="submit">
        {token.kind === 'password-reset' ? 'Set the password' : 'Set up my account'}
      </button>
    </>
  );
}

/** Used, expired, altered, never made: all alike. */
export function sendClosedLinkPage(context: DashboardContext): void {
  sendPage(context, {
    title: 'This link does not work',
    status: 410,
    content: (
      <div class="narrow">
        <h1>This link does not work</h1>
        <p>A link works once and for a limited time, and this one does not, or not any more.</p>
        <p>
          <a href="/sign-in">Sign in</a>, or <a href="/forgotten">get a new link by mail</a>.
        </p>
      </div>
    ),
  });
}

/** Somebody else was faster: registered in another tab, or another account moved to the email. */
export function sendTakenPage(context: DashboardContext): void {
  sendPage(context, {
    title: 'There is an account already',
    status: 409,
    content: (
      <div class="narrow">
        <h1>There is an account already</h1>
        <p>The email has an account. Nothing was changed.</p>
        <p>
          <a href="/sign-in">Sign in</a>, or <a href="/forgotten">choose a new password</a>.
        </p>
      </div>
    ),
  });
}
