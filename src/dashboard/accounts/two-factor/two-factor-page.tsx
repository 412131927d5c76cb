import type { TwoFactorProblems } from '../../../accounts/two-factor/two-factor-settings.ts';
import { ActForm } from '../../components/act-form.tsx';
import { Field } from '../../components/field.tsx';
import { Notice } from '../../components/notice.tsx';
import { Time } from '../../components/time.tsx';
import { sendPage } from '../../page.tsx';
import type { DashboardContext } from '../../router.ts';
import { CurrentPasswordField, HiddenEmail } from '../password-fields.tsx';
import { ConfirmPanel, FirstPasskeyPanel, type OwedFactor, OwedNotice } from './owed-factor.tsx';
import { QrCode } from './qr-code.tsx';

export type TwoFactorForm = 'set-up' | 'codes' | 'off';

export interface TwoFactorView {
  readonly email: string | null;
  /** Null when two-factor is off. */
  readonly on: { readonly since: number; readonly recoveryCodesLeft: number } | null;
  /** The secret that this session is setting up. */
  readonly setUp: { readonly secret: string; readonly uri: string } | null;
  /** Set when two-factor is required and this session has no second factor. Null when the other pages are open. */
  readonly owed: OwedFactor | null;
  readonly refused: { readonly form: TwoFactorForm; readonly problems: TwoFactorProblems } | null;
  readonly done: string | null;
}

const TITLE = 'Two-factor sign-in';
const FEW_CODES = 3;
const ANY_CODE = 'Of the app, or a recovery code.';

export function sendTwoFactorPage(context: DashboardContext, view: TwoFactorView): void {
  const { on, setUp, owed, refused, done } = view;
  const props = { view, csrfToken: context.state.csrfToken };
  sendPage(context, {
    title: TITLE,
    scripts: owed ? ['passkey.js'] : [],
    status: refused || owed?.problem || owed?.problems ? 403 : 200,
    content: (
      <>
        <h1>{TITLE}</h1>
        {done !== null && (
          <Notice kind="done">
            <p>{done}</p>
          </Notice>
        )}
        {(refused || owed?.problems) && (
          <Notice kind="error">
            <p>Nothing was changed. See the errors below.</p>
          </Notice>
        )}
        {owed && <OwedNotice owed={owed} />}
        {on ? (
          <OnPanels {...props} on={on} />
        ) : owed?.hasPasskey ? (
          <ConfirmPanel csrfToken={context.state.csrfToken} problem={owed.problem} />
        ) : setUp ? (
          <div class="columns">
            <SetUpPanel {...props} setUp={setUp} />
            <PasskeyInstead {...props} />
          </div>
        ) : (
          <div class="columns">
            <OffPanel {...props} />
            <PasskeyInstead {...props} />
          </div>
        )}
        {!owed && (
          <p>
            <a href="/account">Your account</a>
          </p>
        )}
      </>
    ),
  });
}

interface PanelProps {
  readonly view: TwoFactorView;
  readonly csrfToken: string;
}

function problemsOf({ refused }: TwoFactorView, form: TwoFactorForm): TwoFactorProblems {
  return refused?.form === form ? refused.problems : {};
}

function OffPanel({ csrfToken }: PanelProps) {
  return (
    <section class="panel" aria-labelledby="off-heading">
      <h2 id="off-heading">Authenticator app</h2>
      <p>
        With two-factor sign-in, you need your password and a code from an authenticator app on your phone.
        Someone who has stolen your password cannot sign in without the code.
      </p>
      <ActForm action="/account/two-factor/begin" csrfToken={csrfToken}>
        <button type="submit">Set up an authenticator app</button>
      </ActForm>
    </section>
  );
}

function PasskeyInstead({ view: { owed }, csrfToken }: PanelProps) {
  return owed?.canAddPasskeys ? (
    <FirstPasskeyPanel csrfToken={csrfToken} problems={owed.problems ?? {}} />
  ) : null;
}

function SetUpPanel({
  view,
  csrfToken,
  setUp,
}: PanelProps & { readonly setUp: { secret: string; uri: string } }) {
  const problems = problemsOf(view, 'set-up');
  return (
    <section class="panel" aria-labelledby="set-up-heading">
      <h2 id="set-up-heading">Authenticator app</h2>
      <ol>
        <li>
          <p>Scan this code with an authenticator app.</p>
          <QrCode text={setUp.uri} label="QR code for the authenticator app" />
          <p>
            Or type this key into the app:{' '}
            <code class="typed-key">{setUp.secret.match(/.{1,4}/g)?.join(' ')}</code>
          </p>
        </li>
        <li>
          <p>Type the code that the app shows, and your password.</p>
          <ActForm action="/account/two-factor/on" csrfToken={csrfToken}>
            <HiddenEmail email={view.email ?? ''} />
            <CodeField name="code" error={problems.code} />
            <CurrentPasswordField name="password" label="Your password" error={problems.password} />
            <p class="hint">This signs out all other sessions.</p>
            <button type="submit">Turn two-factor on</button>
          </ActForm>
        </li>
      </ol>
    </section>
  );
}

function OnPanels({ view, csrfToken, on }: PanelProps & { readonly on: NonNullable<TwoFactorView['on']> }) {
  const { recoveryCodesLeft, since } = on;
  const codes = problemsOf(view, 'codes');
  const off = problemsOf(view, 'off');
  return (
    <>
      <p>
        On since <Time at={since} exact="minute" />. Signing in needs a code of your authenticator app.
      </p>
      <div class="columns">
        <section class="panel" aria-labelledby="codes-heading">
          <h2 id="codes-heading">Recovery codes</h2>
          <p class={recoveryCodesLeft < FEW_CODES ? 'notice warning' : undefined}>
            <strong>{recoveryCodesLeft}</strong> {recoveryCodesLeft === 1 ? 'code is' : 'codes are'} left.
          </p>
          <ActForm action="/account/two-factor/recovery-codes" csrfToken={csrfToken}>
            <HiddenEmail email={view.email ?? ''} />
            <CurrentPasswordField name="codes-password" label="Your password" error={codes.password} />
            <CodeField name="codes-code" error={codes.code} hint={ANY_CODE} />
            <p class="hint">The old codes stop working.</p>
            <button type="submit">Make new recovery codes</button>
          </ActForm>
        </section>
        <section class="panel" aria-labelledby="turn-off-heading">
          <h2 id="turn-off-heading">Turn off</h2>
          <ActForm action="/account/two-factor/off" csrfToken={csrfToken}>
            <HiddenEmail email={view.email ?? ''} />
            <CurrentPasswordField name="off-password" label="Your password" error={off.password} />
            <CodeField name="off-code" error={off.code} hint={ANY_CODE} />
            <button type="submit" class="danger">
              Turn two-factor off
            </button>
          </ActForm>
        </section>
      </div>
    </>
  );
}

function CodeField(props: {
  readonly name: string;
  readonly error: string | undefined;
  readonly hint?: string;
}) {
  const { name, error, hint = 'Six digits.' } = props;
  return (
    <Field
      name={name}
      hint={hint}
      error={error}
      label="Code"
      autocomplete="one-time-code"
      maxLength={64}
      required
    />
  );
}

/** The page that shows new recovery codes once. */
export function sendRecoveryCodesPage(
  context: DashboardContext,
  { codes, isFirst }: { readonly codes: readonly string[]; readonly isFirst: boolean },
): void {
  const title = isFirst ? 'Two-factor is on' : 'New recovery codes';
  sendPage(context, {
    title,
    content: (
      <>
        <h1>{title}</h1>
        <Notice kind="warning">
          <p>
            Save these recovery codes now. They are shown only once. Each code signs you in once when you do
            not have your phone.
          </p>
        </Notice>
        <section class="panel" aria-labelledby="recovery-codes-heading">
          <h2 id="recovery-codes-heading">Recovery codes</h2>
          <pre id="recovery-codes">{codes.join('\n')}</pre>
          <button type="button" data-act="copy" data-from="recovery-codes" hidden>
            Copy the codes
          </button>
        </section>
        <p>
          <a class="button" href="/account/two-factor">
            I have saved them
          </a>
        </p>
      </>
    ),
  });
}
