import { truncatedNetwork } from '../../assessment/identity.ts';
import { describeBrowser, PROGRAM } from '../../processors/device/describe-browser.ts';
import type { Account } from '../../storage/accounts/people-records.ts';
import { createToken, tokenSha256 } from '../../web/tokens.ts';
import type { DashboardDependencies } from '../dashboard-dependencies.ts';
import type { DashboardContext } from '../router.ts';
import { clearSessionCookie, readSessionCookie, setSessionCookie } from './account-cookies.ts';
import { rememberBrowser } from './known-browser.ts';
import { clientIp } from './request-client.ts';
import type { Viewer } from './viewer.ts';

type SessionDependencies = Pick<DashboardDependencies, 'records' | 'config' | 'publicUrl' | 'secret'>;

/** Whose browser sent the request, by its cookie: looked up every time, so that what was ended is ended. */
export async function loadViewer(
  context: DashboardContext,
  parts: SessionDependencies,
): Promise<Viewer | null> {
  const token = readSessionCookie(context, parts.publicUrl());
  if (token === null) return null;
  const found = await parts.records.sessions.find(tokenSha256(token));
  if (!found) return null;
  const { account, session } = found;
  const { id, name, email, role } = account;
  return { accountId: id, name, email, role, sessionId: session.id };
}

/**
 * Signs the browser in under a new session; the one it had ends, whosever that was. The browser is known from then on.
 *
 * @returns false when the password was changed since `account` was read.
 */
export async function openSession(
  context: DashboardContext,
  account: Account,
  parts: SessionDependencies,
): Promise<boolean> {
  const token = createToken();
  const opened = await parts.records.sessions.create(
    {
      id: tokenSha256(token),
      accountId: account.id,
      browser: browserLabel(context.headers['user-agent'] ?? null),
      network: truncatedNetwork(clientIp(context, parts.config())),
    },
    account.passwordChangedAt,
  );
  if (!opened) return false;
  const { viewer } = context.state;
  if (viewer) await parts.records.sessions.end(viewer.sessionId, viewer.accountId);
  setSessionCookie(context, parts.publicUrl(), token);
  rememberBrowser(context, account, parts);
  return true;
}

export async function closeSession(context: DashboardContext, parts: SessionDependencies): Promise<void> {
  const { viewer } = context.state;
  if (viewer) await parts.records.sessions.end(viewer.sessionId, viewer.accountId);
  clearSessionCookie(context, parts.publicUrl());
}

/** Shown to the owner, to tell sessions apart: `Firefox on Linux`. */
function browserLabel(userAgent: string | null): string {
  const { browser, system } = describeBrowser(userAgent);
  const name = browser === PROGRAM ? 'A program' : (browser ?? 'Another browser');
  return system === null ? name : `${name} on ${system}`;
}
