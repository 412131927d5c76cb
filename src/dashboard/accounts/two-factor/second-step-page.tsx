import { AccountError } from '../../../accounts/account-error.ts';
import type { Account } from '../../../storage/accounts/account-store.ts';
import { safeReturnPath, seeOther } from '../../access.ts';
import { ActForm } from '../../components/act-form.tsx';
import { Field } from '../../components/field.tsx';
import { sendPage } from '../../page.tsx';
import type { DashboardContext, DashboardRouter } from '../../router.ts';
import { clearPendingCookie, keepSignedIn, readPendingCookie } from '../account-cookies.ts';
import type { AccountDependencies } from '../account-dependencies.ts';
import { PasskeyForm } from '../passkeys/passkey-sign-in.tsx';
import { clientOf } from '../request-client.ts';

const PATH = '/sign-in/second-step';
const REFUSED = {
  code: 'This code is wrong or was used before. Wait for the next code of the app.',
  'recovery-code': 'This recovery code is wrong or was used before.',
} as const;
type CodeField = keyof typeof REFUSED;

/** The page between the password and the session. Only the sender of the right password gets it. */
export function registerSecondStep(router: DashboardRouter, dependencies: AccountDependencies): void {
  const { accounts, publicUrl } = dependencies;

  router.get(PATH, async (context) => {
    const pending = await findPending(context);
    if (pending) show(context, { account: pending.account, next: nextOf(context.query.next) });
    else seeOther(context, `/sign-in?next=${encodeURIComponent(nextOf(context.query.next))}`);
  });

  router.post(PATH, async (context) => {
    const { form } = context.state;
    const next = nextOf(form.text('next'));
    const pending = await findPending(context);
    if (!pending) {
      sendExpiredPage(context, next);
      return;
    }
    const field: CodeField = form.has('recovery-code') ? 'recovery-code' : 'code';
    try {
      const client = clientOf(context, dependencies);
      const outcome = await accounts.secondStep.finish(pending.token, form.text(field), client);
      if (outcome.done) {
        clearPendingCookie(context, publicUrl());
        keepSignedIn(context, publicUrl(), outcome.signedIn);
        seeOther(context, next);
      } else if (outcome.because === 'closed') {
        sendExpiredPage(context, next);
      } else {
        const refused = { field, problem: REFUSED[field], status: 403 };
        show(context, { account: pending.account, next, refused });
      }
    } catch (error) {
      if (!(error instanceof AccountError)) throw error;
      const isLimit = error.code === 'too_many_attempts';
      if (isLimit) context.set('Retry-After', String(error.retryAfterSeconds ?? 60));
      const refused = { field, problem: error.message, status: isLimit ? 429 : 409 };
      show(context, { account: pending.account, next, refused });
    }
  });

  function show(context: DashboardContext, view: Omit<SecondStepView, 'hasPasskeys'>): void {
    sendSecondStepPage(context, { ...view, hasPasskeys: accounts.passkeys.isAvailable() });
  }

  async function findPending(context: DashboardContext) {
    const token = readPendingCookie(context, publicUrl());
    const account = token === null ? null : await accounts.secondStep.find(token);
    return token === null || !account ? null : { token, account };
  }
}

/** A link to the second step, for a sign-in that waits for it. */
export function secondStepPath(next: string): string {
  return `${PATH}?next=${encodeURIComponent(next)}`;
}

interface SecondStepView {
  readonly account: Account;
  readonly next: string;
  /** Whether browsers use passkeys at the URL of the dashboard. */
  readonly hasPasskeys: boolean;
  readonly refused?:
    | undefined
    | { readonly field: CodeField; readonly problem: string; readonly status: number };
}

function sendSecondStepPage(context: DashboardContext, view: SecondStepView): void {
  const { account, next, hasPasskeys, refused } = view;
  const { csrfToken } = context.state;
  sendPage(context, {
    title: 'Second step',
    scripts: ['passkey.js'],
    status: refused?.status ?? 200,
    content: (
      <div class="narrow">
        <h1>Second step</h1>
        <p>
          You sign in as <strong>{account.email}</strong>.
        </p>
        {account.twoFactorSince === null ? (
          <p>Two-factor is required here. Your second factor is your passkey.</p>
        ) : (
          <CodeForms next={next} csrfToken={csrfToken} refused={refused} />
        )}
        {hasPasskeys && <PasskeyForm next={next} csrfToken={csrfToken} />}
        <p class="hint">
          No device and no recovery code? Ask an operator to remove your second factor.{' '}
          <a href="/sign-in">Sign in again</a>
        </p>
      </div>
    ),
  });
}

function CodeForms({
  next,
  csrfToken,
  refused,
}: Pick<SecondStepView, 'next' | 'refused'> & { readonly csrfToken: string }) {
  const problemOf = (field: CodeField) => (refused?.field === field ? refused.problem : undefined);
  return (
    <>
      <ActForm action={PATH} csrfToken={csrfToken}>
        <input type="hidden" name="next" value={next} />
        <Field
          name="code"
          label="Code"
          hint="Six digits of your authenticator app."
          error={problemOf('code')}
          inputMode="numeric"
          autocomplete="one-time-code"
          maxLength={20}
          autofocus={refused?.field !== 'recovery-code'}
          required
        />
        <button type="submit">Sign in</button>
      </ActForm>
      <details open={refused?.field === 'recovery-code'}>
        <summary>Use a recovery code</summary>
        <ActForm action={PATH} csrfToken={csrfToken}>
          <input type="hidden" name="next" value={next} />
          <Field
            name="recovery-code"
            label="Recovery code"
            hint="One of the ten codes that you saved. Each works once."
            error={problemOf('recovery-code')}
            autocomplete="off"
            maxLength={64}
            required
          />
          <button type="submit" class="second">
            Sign in
          </button>
        </ActForm>
      </details>
    </>
  );
}

function sendExpiredPage(context: DashboardContext, next: string): void {
  const title = 'This sign-in has ended';
  sendPage(context, {
    title,
    status: 403,
    content: (
      <div class="narrow">
        <h1>{title}</h1>
        <p>You are not signed in. The second step must follow within ten minutes of the password.</p>
        <p>
          <a class="button" href={`/sign-in?next=${encodeURIComponent(next)}`}>
            Sign in again
          </a>
        </p>
      </div>
    ),
  });
}

function nextOf(value: string | string[] | undefined): string {
  return safeReturnPath(typeof value === 'string' ? value : undefined);
}
