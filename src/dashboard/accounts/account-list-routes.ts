import { AccountError } from '../../accounts/account-error.ts';
import { operatorOnly, viewerOf } from '../access.ts';
import type { DashboardContext, DashboardRouter } from '../router.ts';
import type { AccountDependencies } from './account-dependencies.ts';
import { EMPTY_INVITATION, type InvitationForm, sendAccountListPage } from './account-list-page.tsx';
import { sendNewLinkPage } from './new-link-page.tsx';

const PAGE_ROWS = 50;
const MAX_TEXT_CHARACTERS = 300;

/** All accounts, for operators, and invitations for new users. */
export function registerAccountList(router: DashboardRouter, dependencies: AccountDependencies): void {
  router.get('/accounts', operatorOnly, (context) => showAll(context, dependencies, EMPTY_INVITATION));
  router.post('/accounts', operatorOnly, (context) => invite(context, dependencies));
}

async function showAll(
  context: DashboardContext,
  { records, config, clock }: AccountDependencies,
  invitation: InvitationForm,
): Promise<void> {
  const text = queryText(context, 'text').slice(0, MAX_TEXT_CHARACTERS);
  const after = queryText(context, 'after');
  const accounts = await records.accounts.page({
    after: after === '' ? null : after,
    limit: PAGE_ROWS + 1,
    text: text === '' ? null : text,
  });
  const shown = accounts.slice(0, PAGE_ROWS);
  const keys = await records.apiKeys.countUsable(
    shown.map(({ id }) => id),
    clock(),
  );
  sendAccountListPage(context, {
    rows: shown.map((account) => ({ account, keys: keys.get(account.id) ?? 0 })),
    plans: Object.keys(config().api.plans),
    invitation,
    text,
    isFirst: after === '',
    next: accounts.length > PAGE_ROWS ? (shown.at(-1)?.name ?? null) : null,
    done: queryText(context, 'done') === 'closed' ? 'The account was closed.' : null,
  });
}

async function invite(context: DashboardContext, dependencies: AccountDependencies): Promise<void> {
  const { form } = context.state;
  const email = form.text('email');
  const role = form.text('role') === 'operator' ? 'operator' : 'member';
  const plan = form.text('plan');
  try {
    const link = await dependencies.accounts.administration.invite({ email, role, plan }, viewerOf(context));
    sendNewLinkPage(context, `Invitation for ${link.email}`, link);
  } catch (error) {
    if (!(error instanceof AccountError)) throw error;
    await showAll(context, dependencies, { typed: email, role, plan, problem: error.message });
  }
}

function queryText({ query }: DashboardContext, name: string): string {
  const value = query[name];
  return typeof value === 'string' ? value.trim() : '';
}
