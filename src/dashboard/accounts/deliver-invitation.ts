import type { AccessLink } from '../../accounts/account-administration.ts';
import { readEmail } from '../../accounts/read-email.ts';
import { seeOther } from '../access.ts';
import type { DashboardContext } from '../router.ts';
import type { AccountDependencies } from './account-dependencies.ts';
import { sendNewLinkPage } from './new-link-page.tsx';
import { mailSenderOf } from './request-client.ts';

/**
 * Mails the link of an invitation. Without a mail server, or when an hourly budget of mails is used up, the operator gets the link
 * to send it.
 */
export async function deliverInvitation(
  context: DashboardContext,
  link: AccessLink,
  { accounts, config }: AccountDependencies,
): Promise<void> {
  const email = readEmail(link.email);
  const request = email && { email, ...mailSenderOf(context, config()) };
  const isMailed =
    request && config().mail.smtp !== null && (await accounts.mailSender.invite(request, link.url));
  if (isMailed) seeOther(context, '/accounts?done=invited');
  else sendNewLinkPage(context, `Invitation for ${link.email}`, link);
}
