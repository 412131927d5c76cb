import type { LinkOutcome } from '../../accounts/link-redemption.ts';
import type { AccountToken } from '../../storage/accounts/account-token-store.ts';
import { seeOther } from '../access.ts';
import type { DashboardContext, DashboardRouter } from '../router.ts';
import type { AccountDependencies } from './account-dependencies.ts';
import { enter } from './enter.ts';
import { sendClosedLinkPage, sendOpenLinkPage, sendTakenPage } from './open-link-pages.tsx';
import { clientOf } from './request-client.ts';

/**
 * Links from mails and from the command line. To open a link does not use it up, since mail scanners open links too.
 */
export function registerLinks(router: DashboardRouter, dependencies: AccountDependencies): void {
  const { accounts, publicUrl } = dependencies;

  router.get('/links/:token', async (context) => {
    const link = await accounts.links.find(context.params.token ?? '');
    if (link) sendOpenLinkPage(context, link);
    else sendClosedLinkPage(context);
  });

  router.post('/links/:token', async (context) => {
    const link = await accounts.links.find(context.params.token ?? '');
    if (!link) sendClosedLinkPage(context);
    else if (link.kind === 'email-change') await confirmEmail(context, link);
    else await choosePassword(context, link);
  });

  async function choosePassword(context: DashboardContext, link: AccountToken): Promise<void> {
    const { form } = context.state;
    const client = clientOf(context, dependencies);
    const email = form.text('email');
    const input = { email, password: form.raw('password') };
    const outcome = await accounts.links.choosePassword(link, input, client.ip);
    if (!outcome.done) {
      sendRefusal(context, link, { outcome, email });
      return;
    }
    const entered = await accounts.secondStep.enter(outcome.account, client);
    if (entered) enter(context, { entered, next: '/', publicUrl: publicUrl() });
    else seeOther(context, '/');
  }

  async function confirmEmail(context: DashboardContext, link: AccountToken): Promise<void> {
    const outcome = await accounts.links.confirmEmail(link, clientOf(context, dependencies));
    if (outcome.done) seeOther(context, '/account?done=email');
    else sendRefusal(context, link, { outcome, email: '' });
  }
}

function sendRefusal(
  context: DashboardContext,
  link: AccountToken,
  { outcome, email }: { readonly outcome: LinkOutcome & { readonly done: false }; readonly email: string },
): void {
  if (outcome.because === 'input') sendOpenLinkPage(context, link, { email, problems: outcome.problems });
  else if (outcome.because === 'taken') sendTakenPage(context);
  else sendClosedLinkPage(context);
}
