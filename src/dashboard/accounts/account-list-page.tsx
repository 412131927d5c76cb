import type { Account, Role } from '../../storage/accounts/account-store.ts';
import type { OpenInvitation } from '../../storage/accounts/user-store.ts';
import { AccountList } from '../components/account-list.tsx';
import { ActForm } from '../components/act-form.tsx';
import { DataTable } from '../components/data-table.tsx';
import { Field, SelectField } from '../components/field.tsx';
import { Mailbox } from '../components/mailbox.tsx';
import { Notice } from '../components/notice.tsx';
import { Time } from '../components/time.tsx';
import { sendPage } from '../page.tsx';
import type { DashboardContext } from '../router.ts';
import { OpenInvitations } from './open-invitations.tsx';
import { ROLE_OPTIONS } from './role-options.ts';

/** The form of an invitation, as posted. */
export interface InvitationForm {
  readonly typed: string;
  readonly role: Role;
  readonly plan: string;
  readonly problem: string | null;
}

export const EMPTY_INVITATION: InvitationForm = { typed: '', role: 'member', plan: 'hobby', problem: null };

export interface AccountsView {
  readonly rows: readonly { readonly account: Account; readonly keys: number }[];
  readonly plans: readonly string[];
  readonly invitation: InvitationForm;
  /** The text to find in names; empty lists all accounts. */
  readonly text: string;
  readonly isFirst: boolean;
  readonly next: string | null;
  readonly done: string | null;
  readonly openInvitations: readonly OpenInvitation[];
  /** Whether invitations are mailed. */
  readonly sendsMails: boolean;
  readonly now: number;
}

export function sendAccountListPage(context: DashboardContext, view: AccountsView): void {
  const { rows, text, isFirst, next, invitation, done } = view;
  sendPage(context, {
    title: 'Accounts',
    status: invitation.problem === null ? 200 : 400,
    content: (
      <>
        <h1>Accounts</h1>
        {done !== null && (
          <Notice kind="done">
            <p>{done}</p>
          </Notice>
        )}
        <InvitePanel view={view} csrfToken={context.state.csrfToken} />
        <OpenInvitations {...view} invitations={view.openInvitations} csrfToken={context.state.csrfToken} />
        <AccountList path="/accounts" text={text} isFirst={isFirst} next={next} isEmpty={rows.length === 0}>
          <AccountsTable rows={rows} />
        </AccountList>
      </>
    ),
  });
}

function InvitePanel({ view, csrfToken }: { readonly view: AccountsView; readonly csrfToken: string }) {
  const { invitation, plans, sendsMails } = view;
  return (
    <section class="panel" aria-labelledby="invite-heading">
      <h2 id="invite-heading">Invite a user</h2>
      <p>
        {sendsMails
          ? 'The user gets a mail with a link, opens it and chooses a password.'
          : 'You get a link and send it to the user, who opens it and chooses a password.'}
      </p>
      <ActForm action="/accounts" csrfToken={csrfToken}>
        <div class="row">
          <Field
            name="email"
            label="Email"
            type="email"
            value={invitation.typed}
            error={invitation.problem ?? undefined}
            autocomplete="off"
            required
          />
          <SelectField name="role" label="Role" value={invitation.role} options={ROLE_OPTIONS} />
          <SelectField
            name="plan"
            label="Plan"
            value={invitation.plan}
            options={plans.map((plan) => ({ value: plan, label: plan }))}
          />
          <button type="submit">{sendsMails ? 'Send the invitation' : 'Create the link'}</button>
        </div>
      </ActForm>
    </section>
  );
}

function AccountsTable({ rows }: Pick<AccountsView, 'rows'>) {
  return (
    <DataTable
      caption="Accounts by name"
      cards
      columns={['Account', 'Role', 'Plan', 'Creation', 'Last sign-in', 'Active keys']}
      numeric={['Active keys']}
    >
      {rows.map(({ account, keys }) => (
        <tr key={account.id}>
          <td class="long">
            <a class="opens" href={`/accounts/${account.id}`}>
              <Mailbox text={account.name} />
            </a>
          </td>
          <td>{account.email === null ? <span class="nothing">API keys only</span> : account.role}</td>
          <td>{account.plan}</td>
          <td>
            <Time at={account.createdAt} />
          </td>
          <td>
            {account.lastSignedInAt === null ? (
              <span class="nothing">never</span>
            ) : (
              <Time at={account.lastSignedInAt} />
            )}
          </td>
          <td class="number">
            <a href={`/keys?account=${account.id}`}>{keys}</a>
          </td>
        </tr>
      ))}
    </DataTable>
  );
}
