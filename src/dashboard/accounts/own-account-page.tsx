import type { Account } from '../../storage/accounts/account-store.ts';
import type { Session } from '../../storage/accounts/session-store.ts';
import { ActForm } from '../components/act-form.tsx';
import { DataTable } from '../components/data-table.tsx';
import { Field } from '../components/field.tsx';
import { Notice } from '../components/notice.tsx';
import { Time } from '../components/time.tsx';
import { sendPage } from '../page.tsx';
import type { DashboardContext } from '../router.ts';
import { MIN_PASSWORD_LENGTH, PASSWORD_HINT } from './password-rules.ts';

/** What stands in the address after something was done. */
export const DONE = {
  password: 'The password is changed, and every other session signed out.',
  email: 'The email is changed: sign in with it from now on.',
  sessions: 'Signed out.',
} as const;

export interface AccountMistakes {
  readonly password?: { readonly current?: string | undefined; readonly next?: string | undefined };
  readonly email?: {
    readonly typed: string;
    readonly address?: string | undefined;
    readonly current?: string | undefined;
  };
}

interface AccountView {
  readonly account: Account;
  readonly sessions: readonly Session[];
  readonly currentSession: string;
  readonly done: string | null;
  readonly mistakes: AccountMistakes;
}

export function sendAccountPage(context: DashboardContext, view: AccountView): void {
  const { csrfToken } = context.state;
  const { account, mistakes, done } = view;
  const hasMistake = mistakes.password !== undefined || mistakes.email !== undefined;
  sendPage(context, {
    title: 'Your account',
    status: hasMistake ? 403 : 200,
    content: (
      <>
        <h1>Your account</h1>
        {done !== null && (
          <Notice kind="done">
            <p>{done}</p>
          </Notice>
        )}
        {hasMistake && (
          <Notice kind="error">
            <p>Nothing was changed: see below.</p>
          </Notice>
        )}
        <p>
          You are <strong>{account.email}</strong>, {account.role === 'operator' ? 'an operator' : 'a member'}{' '}
          on the plan <strong>{account.plan}</strong>.
        </p>
        <div class="columns">
          <PasswordPanel csrfToken={csrfToken} mistakes={mistakes} email={account.email} />
          <EmailPanel csrfToken={csrfToken} mistakes={mistakes} />
        </div>
        <SessionsPanel csrfToken={csrfToken} view={view} />
      </>
    ),
  });
}

interface PanelProps {
  readonly csrfToken: string;
  readonly mistakes: AccountMistakes;
}

function PasswordPanel({ csrfToken, mistakes, email }: PanelProps & { readonly email: string | null }) {
  return (
    <section class="panel" aria-labelledby="password-heading">
      <h2 id="password-heading">Password</h2>
      <ActForm action="/account/password" csrfToken={csrfToken}>
        {/* Password managers save the two together. */}
        <input type="text" value={email ?? ''} autocomplete="username" hidden readonly />
        <Field
          name="current"
          label="Current password"
          type="password"
          error={mistakes.password?.current}
          autocomplete="current-password"
          required
        />
        <Field
          name="password"
          label="New password"
          type="password"
          hint={PASSWORD_HINT}
          error={mistakes.password?.next}
          autocomplete="new-password"
          minLength={MIN_PASSWORD_LENGTH}
          required
        />
        <p class="hint">All other sessions are signed out.</p>
        <button type="submit">Change the password</button>
      </ActForm>
    </section>
  );
}

function EmailPanel({ csrfToken, mistakes }: PanelProps) {
  return (
    <section class="panel" aria-labelledby="email-heading">
      <h2 id="email-heading">Email</h2>
      <ActForm action="/account/email" csrfToken={csrfToken}>
        <Field
          name="email"
          label="New email"
          type="email"
          hint="It gets a mail with a link. Until that is confirmed, nothing changes."
          value={mistakes.email?.typed ?? ''}
          error={mistakes.email?.address}
          autocomplete="email"
          required
        />
        <Field
          name="email-password"
          label="Your password"
          type="password"
          error={mistakes.email?.current}
          autocomplete="current-password"
          required
        />
        <button type="submit">Send a link to it</button>
      </ActForm>
    </section>
  );
}

function SessionsPanel({ csrfToken, view }: { readonly csrfToken: string; readonly view: AccountView }) {
  const { sessions, currentSession } = view;
  return (
    <section aria-labelledby="sessions-heading">
      <div class="heading">
        <h2 id="sessions-heading">Sessions</h2>
        {sessions.length > 1 && (
          <ActForm action="/account/sessions" csrfToken={csrfToken}>
            <button type="submit" class="second" name="end" value="others">
              Sign out all others
            </button>
          </ActForm>
        )}
      </div>
      <DataTable
        caption="Where you are signed in"
        columns={['Browser', 'Network', 'Signed in', 'Last seen', 'Act']}
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
                'This one'
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
