import { createPasswordLink } from '../../accounts/account-links.ts';
import { EMAIL_MISTAKE, readEmail } from '../../accounts/read-email.ts';
import { StorageConflictError } from '../../storage/storage-error.ts';
import { operatorOnly } from '../access.ts';
import type { DashboardDependencies } from '../dashboard-dependencies.ts';
import type { DashboardContext, DashboardRouter } from '../router.ts';
import { EMPTY_INVITATION, type InvitationForm, sendAccountsPage } from './account-list-page.tsx';
import { logAccountAct } from './account-log.ts';
import { sendLinkPage } from './new-link-page.tsx';
import { registerAccountActs } from './one-account-routes.ts';

const PAGE_ROWS = 50;
const MAX_TEXT_CHARACTERS = 300;

/** Every account, for operators: who there is, on which plan and in which role, and invitations for others. */
export function registerAccounts(router: DashboardRouter, parts: DashboardDependencies): void {
  router.get('/accounts', operatorOnly, (context) => showAll(context, parts, EMPTY_INVITATION));
  router.post('/accounts', operatorOnly, (context) => invite(context, parts));
  registerAccountActs(router, parts);
}

async function showAll(
  context: DashboardContext,
  { records, config, clock }: DashboardDependencies,
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
  sendAccountsPage(context, {
    rows: shown.map((account) => ({ account, keys: keys.get(account.id) ?? 0 })),
    plans: Object.keys(config().api.plans),
    invitation,
    text,
    isFirst: after === '',
    next: accounts.length > PAGE_ROWS ? (shown.at(-1)?.name ?? null) : null,
    done: queryText(context, 'done') === 'closed' ? 'The account is closed.' : null,
  });
}

async function invite(context: DashboardContext, parts: DashboardDependencies): Promise<void> {
  const { records, config, publicUrl } = parts;
  const { form } = context.state;
  const [typed, plan] = [form.text('email'), form.text('plan')];
  const role = form.text('role') === 'operator' ? 'operator' : 'member';
  const email = readEmail(typed)?.text;
  const refuse = (problem: string) => showAll(context, parts, { typed, role, plan, problem });
  if (email === undefined) return refuse(EMAIL_MISTAKE);
  if (!Object.hasOwn(config().api.plans, plan)) return refuse('Choose one of the plans.');
  try {
    const account = await records.people.invite({ email, role, plan });
    await logAccountAct(context, parts, 'account.invited', { account, detail: { role, plan } });
    const link = await createPasswordLink(
      records,
      { id: account.id, email },
      { kind: 'set-up', publicUrl: publicUrl() },
    );
    sendLinkPage(context, { title: `Invitation for ${email}`, link, lasting: '7 days', account });
  } catch (error) {
    if (error instanceof StorageConflictError) return refuse(error.message);
    throw error;
  }
}

function queryText({ query }: DashboardContext, name: string): string {
  const value = query[name];
  return typeof value === 'string' ? value.trim() : '';
}
