import { createPasswordLink } from '../../accounts/account-links.ts';
import type { Account } from '../../storage/accounts/people-records.ts';
import { StorageConflictError } from '../../storage/storage-error.ts';
import { operatorOnly, seeOther, viewerOf } from '../access.ts';
import type { DashboardDependencies } from '../dashboard-dependencies.ts';
import { notThere, PageError } from '../page-error.ts';
import type { DashboardContext, DashboardRouter } from '../router.ts';
import { logAccountAct } from './account-log.ts';
import { sendLinkPage } from './new-link-page.tsx';
import { sendOneAccountPage } from './one-account-page.tsx';

type Act = (context: DashboardContext, account: Account) => Promise<void>;

/** One account, and what an operator can do to it. */
export function registerAccountActs(router: DashboardRouter, parts: DashboardDependencies): void {
  const { records, config, publicUrl, clock } = parts;

  const withAccount = (act: Act) => async (context: DashboardContext) => {
    const account = await records.accounts.find(context.params.id ?? '');
    if (!account) throw notThere();
    try {
      await act(context, account);
    } catch (error) {
      if (error instanceof StorageConflictError) throw new PageError(409, error.message);
      throw error;
    }
  };
  const back = (context: DashboardContext, { id }: Account, done: string) =>
    seeOther(context, `/accounts/${id}?done=${done}`);

  router.get(
    '/accounts/:id',
    operatorOnly,
    withAccount(async (context, account) => {
      const [keys, sessions] = await Promise.all([
        records.apiKeys.countUsable([account.id], clock()),
        records.sessions.list(account.id),
      ]);
      sendOneAccountPage(context, {
        account,
        isOwn: account.id === viewerOf(context).accountId,
        isConfigured: config().api.keys.some(({ name }) => name === account.name),
        plans: Object.keys(config().api.plans),
        keys: keys.get(account.id) ?? 0,
        sessions: sessions.length,
        done: typeof context.query.done === 'string' ? context.query.done : null,
      });
    }),
  );

  router.post(
    '/accounts/:id/plan',
    operatorOnly,
    withAccount(async (context, account) => {
      const plan = context.state.form.text('plan');
      if (!Object.hasOwn(config().api.plans, plan)) throw new PageError(400, 'Choose one of the plans.');
      if (plan !== account.plan) {
        await records.accounts.setPlan(account.id, plan);
        await logAccountAct(context, parts, 'account.plan_set', {
          account,
          detail: { plan, before: account.plan },
        });
      }
      back(context, account, 'plan');
    }),
  );

  router.post(
    '/accounts/:id/role',
    operatorOnly,
    withAccount(async (context, account) => {
      const role = context.state.form.text('role');
      if (role !== 'operator' && role !== 'member') throw new PageError(400, 'Choose operator or member.');
      if (role !== account.role) {
        await records.people.setRole(account.id, role);
        await logAccountAct(context, parts, 'account.role_set', { account, detail: { role } });
      }
      // Who is no operator any more does not see this page.
      if (role === 'member' && account.id === viewerOf(context).accountId) seeOther(context, '/');
      else back(context, account, 'role');
    }),
  );

  router.post(
    '/accounts/:id/link',
    operatorOnly,
    withAccount(async (context, account) => {
      const { id, email, passwordChangedAt } = account;
      if (email === null) throw new PageError(409, 'The account is of keys alone: nobody signs in to it.');
      const kind = passwordChangedAt === null ? 'set-up' : 'password-reset';
      await logAccountAct(context, parts, kind === 'set-up' ? 'account.invited' : 'account.reset_link_made', {
        account,
        detail: {},
      });
      const link = await createPasswordLink(records, { id, email }, { kind, publicUrl: publicUrl() });
      const lasting = kind === 'set-up' ? '7 days' : 'an hour';
      const title = kind === 'set-up' ? `Invitation for ${email}` : `A new password for ${email}`;
      sendLinkPage(context, { title, link, lasting, account });
    }),
  );

  router.post(
    '/accounts/:id/sign-out',
    operatorOnly,
    withAccount(async (context, account) => {
      const { sessionId, accountId } = viewerOf(context);
      const ended = await records.sessions.endAll(account.id, account.id === accountId ? sessionId : null);
      if (ended > 0) {
        await logAccountAct(context, parts, 'session.revoked', { account, detail: { sessions: ended } });
      }
      back(context, account, 'signed-out');
    }),
  );

  router.post(
    '/accounts/:id/close',
    operatorOnly,
    withAccount(async (context, account) => {
      if (account.id === viewerOf(context).accountId) {
        throw new PageError(409, 'This is your own account: another operator can close it.');
      }
      await records.people.close(account.id);
      await logAccountAct(context, parts, 'account.closed', { account, detail: {} });
      seeOther(context, '/accounts?done=closed');
    }),
  );
}
