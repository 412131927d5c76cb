import { AccountError } from '../../accounts/account-error.ts';
import { operatorOnly, viewerOf } from '../access.ts';
import { findAccounts } from '../find-accounts.ts';
import { queryText } from '../query-text.ts';
import type { DashboardContext, DashboardRouter } from '../router.ts';
import type { AccountDependencies } from './account-dependencies.ts';
import { EMPTY_INVITATION, type InvitationForm, sendAccountListPage } from './account-list-page.tsx';
import { deliverInvitation } from './deliver-invitation.ts';
import { MAX_SHOWN_INVITATIONS } from './open-invitations.tsx';
import { roleNamed } from './role-options.ts';

const DONE: Readonly<Record<string, string | undefined>> = Object.assign(Object.create(null), {
  closed: 'The account was closed.',
  invited: 'The mail with the link is on its way. The invitation is open until the user chooses a password.',
  withdrawn: 'The invitation was withdrawn. Its links no longer work.',
});

/** The pages with all accounts and with invitations for new users, for operators. */
export function registerAccountList(router: DashboardRouter, dependencies: AccountDependencies): void {
  router.get('/accounts', operatorOnly, (context) => showAll(context, dependencies, EMPTY_INVITATION));
  router.post('/accounts', operatorOnly, (context) => invite(context, dependencies));
}

async function showAll(
  context: DashboardContext,
  { records, config, clock }: AccountDependencies,
  invitation: InvitationForm,
): Promise<void> {
  const { accounts, text, isFirst, next } = await findAccounts(context, records.accounts);
  const keys = await records.apiKeys.countUsable(
    accounts.map(({ id }) => id),
    clock(),
  );
  sendAccountListPage(context, {
    rows: accounts.map((account) => ({ account, keys: keys.get(account.id) ?? 0 })),
    plans: Object.keys(config().api.plans),
    invitation,
    text,
    isFirst,
    next,
    done: DONE[queryText(context, 'done')] ?? null,
    openInvitations: isFirst && text === '' ? await records.users.openInvitations(MAX_SHOWN_INVITATIONS) : [],
    sendsMails: config().mail.smtp !== null,
    now: clock(),
  });
}

async function invite(context: DashboardContext, dependencies: AccountDependencies): Promise<void> {
  const { form } = context.state;
  const email = form.text('email');
  const role = roleNamed(form.text('role'));
  const plan = form.text('plan');
  try {
    const link = await dependencies.accounts.administration.invite({ email, role, plan }, viewerOf(context));
    await deliverInvitation(context, link, dependencies);
  } catch (error) {
    if (!(error instanceof AccountError)) throw error;
    await showAll(context, dependencies, { typed: email, role, plan, problem: error.message });
  }
}
