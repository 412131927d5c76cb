import type { Account } from '../../storage/accounts/account-store.ts';
import { ActForm } from '../components/act-form.tsx';
import { SelectField } from '../components/field.tsx';
import { Mailbox } from '../components/mailbox.tsx';
import { Notice } from '../components/notice.tsx';
import { Time } from '../components/time.tsx';
import { sendPage } from '../page.tsx';
import type { DashboardContext } from '../router.ts';
import { ROLE_OPTIONS } from './role-options.ts';

export interface OneAccountView {
  readonly account: Account;
  /** Whether it is the account of the viewer. */
  readonly isOwn: boolean;
  /** Whether the account and its plan come from a key of the configuration. */
  readonly isConfigured: boolean;
  readonly plans: readonly string[];
  readonly keys: number;
  readonly sessions: number;
  readonly passkeys: number;
  readonly done: string | null;
}

const DONE: Readonly<Record<string, string>> = {
  plan: 'The plan was changed. It applies from the next request on.',
  role: 'The role was changed.',
  'signed-out': 'Signed out everywhere.',
  'two-factor': 'The second factor and the passkeys were removed, and all sessions of the user ended.',
};

export function sendOneAccountPage(context: DashboardContext, view: OneAccountView): void {
  const { csrfToken } = context.state;
  const { account, done } = view;
  sendPage(context, {
    title: account.name,
    content: (
      <>
        <h1>
          <Mailbox text={account.name} />
        </h1>
        {done !== null && Object.hasOwn(DONE, done) && (
          <Notice kind="done">
            <p>{DONE[done]}</p>
          </Notice>
        )}
        <section class="panel" aria-label="Facts about the account">
          <Facts view={view} />
        </section>
        <div class="columns">
          <PlanPanel view={view} csrfToken={csrfToken} />
          {account.email !== null && <PersonPanels view={view} csrfToken={csrfToken} />}
        </div>
        <p>
          <a href="/accounts">All accounts</a>
        </p>
      </>
    ),
  });
}

function Facts({ view: { account, keys, sessions, passkeys } }: { readonly view: OneAccountView }) {
  return (
    <dl class="facts">
      <dt>Email</dt>
      <dd>{account.email ?? 'none: the account has only API keys and no user'}</dd>
      <dt>Creation</dt>
      <dd>
        <Time at={account.createdAt} />
      </dd>
      <dt>Last sign-in</dt>
      <dd>{account.lastSignedInAt === null ? 'never' : <Time at={account.lastSignedInAt} />}</dd>
      <dt>Sessions</dt>
      <dd>{sessions}</dd>
      <dt>Passkeys</dt>
      <dd>{passkeys}</dd>
      <dt>Two-factor</dt>
      <dd>
        {account.twoFactorSince === null ? (
          'off'
        ) : (
          <>
            on since <Time at={account.twoFactorSince} exact="minute" />
          </>
        )}
      </dd>
      <dt>Active keys</dt>
      <dd>
        {keys} <a href={`/keys?account=${account.id}`}>Keys of the account</a>
      </dd>
      <dt>Used this month</dt>
      <dd>
        <a href={`/usage?account=${account.id}`}>Usage of the account</a>
      </dd>
    </dl>
  );
}

interface PanelProps {
  readonly view: OneAccountView;
  readonly csrfToken: string;
}

function PlanPanel({ view: { account, plans, isConfigured }, csrfToken }: PanelProps) {
  return (
    <section class="panel" aria-labelledby="plan-heading">
      <h2 id="plan-heading">Plan</h2>
      {isConfigured ? (
        <p>
          <strong>{account.plan}</strong>, set for this key in the configuration under <code>api.keys</code>.
        </p>
      ) : (
        <ActForm action={`/accounts/${account.id}/plan`} csrfToken={csrfToken} class="row">
          <SelectField
            name="plan"
            label="Plan of the account"
            value={account.plan}
            options={[...new Set([account.plan, ...plans])].map((plan) => ({
              value: plan,
              label: plans.includes(plan) ? plan : `${plan} (no longer configured: the plan hobby applies)`,
            }))}
          />
          <button type="submit">Set the plan</button>
        </ActForm>
      )}
    </section>
  );
}

function PersonPanels({ view: { account, isOwn, passkeys }, csrfToken }: PanelProps) {
  const base = `/accounts/${account.id}`;
  return (
    <>
      <section class="panel" aria-labelledby="role-heading">
        <h2 id="role-heading">Role</h2>
        <ActForm action={`${base}/role`} csrfToken={csrfToken} class="row">
          <SelectField name="role" label="Role of the user" value={account.role} options={ROLE_OPTIONS} />
          <button type="submit">Set the role</button>
        </ActForm>
      </section>
      <section class="panel" aria-labelledby="access-heading">
        <h2 id="access-heading">Access</h2>
        <div class="row">
          <ActForm action={`${base}/link`} csrfToken={csrfToken}>
            <button type="submit" class="second">
              {account.passwordChangedAt === null
                ? 'Create another invitation'
                : 'Create a link for a new password'}
            </button>
          </ActForm>
          <ActForm action={`${base}/sign-out`} csrfToken={csrfToken}>
            <button type="submit" class="second">
              {isOwn ? 'Sign out all other sessions' : 'Sign out everywhere'}
            </button>
          </ActForm>
          {!isOwn && (account.twoFactorSince !== null || passkeys > 0) && (
            <ActForm action={`${base}/remove-two-factor`} csrfToken={csrfToken}>
              <button
                type="submit"
                class="second"
                data-confirm={`Remove the second factor and the passkeys of ${account.name}? The password alone signs in then.`}
              >
                Remove the second factor
              </button>
            </ActForm>
          )}
          {!isOwn && (
            <ActForm action={`${base}/close`} csrfToken={csrfToken}>
              <button
                type="submit"
                class="danger"
                data-confirm={`Close the account of ${account.name}? Its user cannot sign in again, and its keys are refused.`}
              >
                Close the account
              </button>
            </ActForm>
          )}
        </div>
      </section>
    </>
  );
}
