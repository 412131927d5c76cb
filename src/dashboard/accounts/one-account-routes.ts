import { readEmail } from '../../accounts/read-email.ts';
import type { Account } from '../../storage/accounts/account-store.ts';
import { operatorOnly, seeOther, viewerOf } from '../access.ts';
import { notThere, PageError } from '../page-error.ts';
import type { DashboardContext, DashboardRouter } from '../router.ts';
import type { AccountDependencies } from './account-dependencies.ts';
import { deliverInvitation } from './deliver-invitation.ts';
import { sendNewLinkPage } from './new-link-page.tsx';
import { sendOneAccountPage } from './one-account-page.tsx';
import { mailSenderOf } from './request-client.ts';

/** The page of one account and its forms for operators. */
export function registerOneAccount(router: DashboardRouter, dependencies: AccountDependencies): void {
  const { accounts, records, config, clock } = dependencies;
  const { administration } = accounts;

  router.get('/accounts/:id', operatorOnly, async (context) => {
    const account = await findAccount(context);
    const [keys, sessions, passkeys] = await Promise.all([
      records.apiKeys.countUsable([account.id], clock()),
      records.sessions.list(account.id),
      records.passkeys.list(account.id),
    ]);
    sendOneAccountPage(context, {
      account,
      isOwn: account.id === viewerOf(context).accountId,
      isConfigured: config().api.keys.some(({ name }) => name === account.name),
      plans: Object.keys(config().api.plans),
      keys: keys.get(account.id) ?? 0,
      sessions: sessions.length,
      passkeys: passkeys.length,
      done: typeof context.query.done === 'string' ? context.query.done : null,
    });
  });

  router.post('/accounts/:id/plan', operatorOnly, async (context) => {
    const account = await findAccount(context);
    await administration.setPlan(account, context.state.form.text('plan'), viewerOf(context));
    seeOther(context, `/accounts/${account.id}?done=plan`);
  });

  router.post('/accounts/:id/role', operatorOnly, async (context) => {
    const account = await findAccount(context);
    const viewer = viewerOf(context);
    const role = context.state.form.text('role');
    await administration.setRole(account, role, viewer);
    // A former operator does not see the page of the account.
    const isDemoted = role !== 'operator' && account.id === viewer.accountId;
    seeOther(context, isDemoted ? '/' : `/accounts/${account.id}?done=role`);
  });

  router.post('/accounts/:id/link', operatorOnly, async (context) => {
    const account = await findAccount(context);
    const viewer = viewerOf(context);
    if (account.passwordChangedAt === null) {
      const link = await administration.inviteAgain(account, viewer);
      sendNewLinkPage(context, `Invitation for ${link.email}`, link);
    } else {
      const link = await administration.createResetLink(account, viewer);
      sendNewLinkPage(context, `A new password for ${link.email}`, link);
    }
  });

  router.post('/accounts/:id/invitation', operatorOnly, async (context) => {
    const account = await findAccount(context);
    if (account.passwordChangedAt !== null) throw new PageError(409, 'This user has chosen a password.');
    const link = await administration.inviteAgain(account, viewerOf(context));
    await deliverInvitation(context, link, dependencies);
  });

  router.post('/accounts/:id/withdraw', operatorOnly, async (context) => {
    await administration.withdraw(await findAccount(context), viewerOf(context));
    seeOther(context, '/accounts?done=withdrawn');
  });

  router.post('/accounts/:id/sign-out', operatorOnly, async (context) => {
    const account = await findAccount(context);
    const viewer = viewerOf(context);
    await administration.signOut(account, viewer, viewer.sessionId);
    seeOther(context, `/accounts/${account.id}?done=signed-out`);
  });

  router.post('/accounts/:id/remove-two-factor', operatorOnly, async (context) => {
    const account = await findAccount(context);
    await administration.removeTwoFactor(account, viewerOf(context));
    const email = account.email === null ? null : readEmail(account.email);
    if (email) accounts.mailSender.twoFactorRemoved({ email, ...mailSenderOf(context, config()) });
    seeOther(context, `/accounts/${account.id}?done=two-factor`);
  });

  router.post('/accounts/:id/close', operatorOnly, async (context) => {
    await administration.close(await findAccount(context), viewerOf(context));
    seeOther(context, '/accounts?done=closed');
  });

  async function findAccount({ params }: DashboardContext): Promise<Account> {
    const account = await records.accounts.find(params.id ?? '');
    if (!account) throw notThere();
    return account;
  }
}
