import type { OpenInvitation } from '../../storage/accounts/user-store.ts';
import { ActForm } from '../components/act-form.tsx';
import { DataTable } from '../components/data-table.tsx';
import { Mailbox } from '../components/mailbox.tsx';
import { Time } from '../components/time.tsx';

/** The number of newest invitations that are listed. */
export const MAX_SHOWN_INVITATIONS = 50;

/** Users who were invited and have not chosen a password. */
export function OpenInvitations(props: {
  readonly invitations: readonly OpenInvitation[];
  readonly now: number;
  readonly sendsMails: boolean;
  readonly csrfToken: string;
}) {
  const { invitations, now, sendsMails, csrfToken } = props;
  if (invitations.length === 0) return null;
  return (
    <section aria-labelledby="invitations-heading">
      <h2 id="invitations-heading">Open invitations</h2>
      <DataTable
        caption="Users who have not chosen a password yet"
        cards
        columns={['Email', 'Role', 'Inviter', 'Invitation', 'End of the link', 'Actions']}
      >
        {invitations.map(({ account, invitedBy, expiresAt }) => (
          <tr key={account.id}>
            <td class="long">
              <a href={`/accounts/${account.id}`}>
                <Mailbox text={account.email ?? account.name} />
              </a>
            </td>
            <td>{account.role}</td>
            <td class="long">{invitedBy ?? 'command line'}</td>
            <td>
              <Time at={account.createdAt} />
            </td>
            <td>{expiresAt === null || expiresAt <= now ? 'expired' : <Time at={expiresAt} exact />}</td>
            <td>
              <div class="row">
                <ActForm action={`/accounts/${account.id}/invitation`} csrfToken={csrfToken}>
                  <button type="submit" class="small second">
                    {sendsMails ? 'Send again' : 'New link'}
                  </button>
                </ActForm>
                <ActForm action={`/accounts/${account.id}/withdraw`} csrfToken={csrfToken}>
                  <button
                    type="submit"
                    class="small danger"
                    data-confirm={`Withdraw the invitation of ${account.email}?`}
                  >
                    Withdraw
                  </button>
                </ActForm>
              </div>
            </td>
          </tr>
        ))}
      </DataTable>
      {invitations.length === MAX_SHOWN_INVITATIONS && <p class="hint">Only the newest are listed.</p>}
    </section>
  );
}
