import type { EmailChangeProblems, PasswordChangeProblems } from '../../accounts/self-service.ts';
import type { Account, Role } from '../../storage/accounts/account-store.ts';
import type { Passkey } from '../../storage/accounts/passkey-store.ts';
import type { Session } from '../../storage/accounts/session-store.ts';
import { ActForm } from '../components/act-form.tsx';
import { DataTable } from '../components/data-table.tsx';
import { Field } from '../components/field.tsx';
import { Notice } from '../components/notice.tsx';
import { Time } from '../components/time.tsx';
import { sendPage } from '../page.tsx';
import type { DashboardContext } from '../router.ts';
import type { PasskeyProblems } from './passkeys/add-passkey-form.tsx';
import { PasskeysSection } from './passkeys/passkeys-section.tsx';
import { CurrentPasswordField, HiddenEmail, NewPasswordField } from './password-fields.tsx';

/** The problems of the refused form. */
export interface OwnAccountProblems {
  readonly password?: PasswordChangeProblems;
  readonly email?: EmailChangeProblems & { readonly typed: string };
  readonly passkey?: PasskeyProblems;
}

interface OwnAccountView {
  readonly account: Account;
  readonly sessions: readonly Session[];
  readonly passkeys: readonly Passkey[];
  /** Whether browsers make passkeys for the URL of the dashboard. */
  readonly canAddPasskeys: boolean;
  /** Whether there is a mail server. A new email is confirmed by mail. */
  readonly sendsMails: boolean;
  /** Whether two-factor is required. Then the password alone is not enough to sign in. */
  readonly isPasskeyNeeded: boolean;
  readonly currentSession: string;
  readonly done: string | null;
  readonly problems: OwnAccountProblems;
}

const ROLE_WORDS: Readonly<Record<Role, string>> = {
  operator: 'an operator',
  support: 'on the support staff',
  member: 'a member',
};

export function sendOwnAccountPage(context: DashboardContext, view: OwnAccountView): void {
  const { csrfToken } = context.state;
  const { account, problems, done } = view;
  const isRefused = Object.keys(problems).length > 0;
  sendPage(context, {
    title: 'Your account',
    scripts: ['passkey.js'],
    status: isRefused ? 403 : 200,
    content: (
      <>
        <h1>Your account</h1>
        {done !== null && (
          <Notice kind="done">
            <p>{done}</p>
          </Notice>
        )}
        {isRefused && (
          <Notice kind="error">
            <p>Nothing was changed. See the errors below.</p>
          </Notice>
        )}
        <p>
          You are <strong>{account.email}</strong>, {ROLE_WORDS[account.role]} on the plan{' '}
          <strong>{account.plan}</strong>.
        </p>
        <div class="columns">
          <PasswordPanel csrfToken={csrfToken} problems={problems} email={account.email} />
          {view.sendsMails ? <EmailPanel csrfToken={csrfToken} problems={problems} /> : <NoEmailPanel />}
        </div>
        <TwoFactorPanel {...view} />
        <PasskeysSection
          {...view}
          needsCode={view.account.twoFactorSince !== null}
          csrfToken={csrfToken}
          problems={problems.passkey}
        />
        <SessionsPanel csrfToken={csrfToken} view={view} />
      </>
    ),
  });
}

interface PanelProps {
  readonly csrfToken: string;
  readonly problems: OwnAccountProblems;
}

function PasswordPanel({ csrfToken, problems, email }: PanelProps & { readonly email: string | null }) {
  return (
    <section class="panel" aria-labelledby="password-heading">
      <h2 id="password-heading">Password</h2>
      <ActForm action="/account/password" csrfToken={csrfToken}>
        <HiddenEmail email={email ?? ''} />
        <CurrentPasswordField name="current" label="Current password" error={problems.password?.current} />
        <NewPasswordField label="New password" error={problems.password?.next} />
        <p class="hint">This signs out all other sessions.</p>
        <button type="submit">Change the password</button>
      </ActForm>
    </section>
  );
}

function EmailPanel({ csrfToken, problems }: PanelProps) {
  return (
    <section class="panel" aria-labelledby="email-heading">
      <h2 id="email-heading">Email</h2>
      <ActForm action="/account/email" csrfToken={csrfToken}>
        <Field
          name="email"
          label="New email"
          type="email"
          hint="The new mailbox gets a mail with a link. The email changes when you open the link and confirm."
          value={problems.email?.typed ?? ''}
          error={problems.email?.email}
          autocomplete="email"
          required
        />
        <CurrentPasswordField name="email-password" label="Your password" error={problems.email?.password} />
        <button type="submit">Send the link</button>
      </ActForm>
    </section>
  );
}

function NoEmailPanel() {
  return (
    <section class="panel" aria-labelledby="email-heading">
      <h2 id="email-heading">Email</h2>
      <p>
        You cannot change your email: the new mailbox must confirm it, and this Gatekeeper sends no mails. An
        operator sets <code>mail.smtp</code> in the configuration.
      </p>
    </section>
  );
}

function TwoFactorPanel({ account: { twoFactorSince }, isPasskeyNeeded }: OwnAccountView) {
  return (
    <section class="panel" aria-labelledby="two-factor-heading">
      <h2 id="two-factor-heading">Two-factor sign-in</h2>
      <p>
        {twoFactorSince !== null ? (
          <>
            On since <Time at={twoFactorSince} exact="minute" />.
          </>
        ) : isPasskeyNeeded ? (
          'Two-factor is required here, and your passkey is your second factor.'
        ) : (
          'Off: your password alone signs in.'
        )}
      </p>
      <p>
        <a class="button second" href="/account/two-factor">
          {twoFactorSince === null ? 'Set up an authenticator app' : 'Change two-factor'}
        </a>
      </p>
    </section>
  );
}

function SessionsPanel({ csrfToken, view }: { readonly csrfToken: string; readonly view: OwnAccountView }) {
  const { sessions, currentSession } = view;
  return (
    <section aria-labelledby="sessions-heading">
      <div class="heading">
        <h2 id="sessions-heading">Sessions</h2>
        {sessions.length > 1 && (
          <ActForm action="/account/sessions" csrfToken={csrfToken}>
            <button type="submit" class="second" name="end" value="others">
              Sign out my other sessions
            </button>
          </ActForm>
        )}
      </div>
      <DataTable
        caption="Where you are signed in"
        cards
        columns={['Browser', 'Network', 'Sign-in', 'Last visit', 'Action']}
      >
        {sessions.map((session) => (
          <tr key={session.id}>
            <td>{session.browser}</td>
            <td>{session.network}</td>
            <td>
              <Time at={session.createdAt} />
            </td>
            <td>
              <Time at={session.lastSeenAt} />
            </td>
            <td>
              {session.id === currentSession ? (
                'This session'
              ) : (
                <ActForm action="/account/sessions" csrfToken={csrfToken}>
                  <button type="submit" class="small second" name="end" value={session.id}>
                    Sign out
                  </button>
                </ActForm>
              )}
            </td>
          </tr>
        ))}
      </DataTable>
    </section>
  );
}
