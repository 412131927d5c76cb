import type { ExecutionContext } from 'ava';
import { createSetUpLink } from '../../../src/accounts/account-links.ts';
import type { Config } from '../../../src/config/config.ts';
import type { Role } from '../../../src/storage/accounts/account-store.ts';
import { cheapHash } from '../../helpers/cheap-password.ts';
import { freePort } from '../../helpers/free-port.ts';
import { openSmtpMailbox, type SmtpMailbox } from '../../helpers/smtp-mailbox.ts';
import { type DashboardServer, startDashboard } from '../dashboard-server.ts';
import { type CookieBrowser, openCookieBrowser } from './cookie-browser.ts';

export const NOON = Date.UTC(2026, 10, 21, 12);
export const MINUTE_MS = 60_000;
export const PASSWORD = 'correct horse battery';

export interface AccountServer extends Omit<DashboardServer, 'signIn' | 'stranger'> {
  readonly clock: { now: number };
  readonly mailbox: SmtpMailbox;
  browser(): CookieBrowser;
  /** A user with a password, and a signed-in browser. */
  person(
    email: string,
    role?: Role,
  ): Promise<{ readonly accountId: string; readonly browser: CookieBrowser }>;
  /** Signs in under the password of `person`. */
  signIn(email: string, password?: string): Promise<CookieBrowser>;
  setUpPath(): Promise<string>;
}

/** A complete Gatekeeper whose dashboard sends its mails to a real SMTP server. */
export async function startAccountServer(
  t: ExecutionContext,
  changes: Partial<Config['dashboard']> & {
    readonly mailsPerHour?: number;
    /** Its public URL has the host name localhost, which browsers accept for passkeys. */
    readonly isAtLocalhost?: boolean;
  } = {},
): Promise<AccountServer> {
  const { mailsPerHour = 20, isAtLocalhost = false, ...dashboard } = changes;
  const clock = { now: NOON };
  const mailbox = await openSmtpMailbox(t);
  // Chosen before the dashboard listens, since `public_url` hides the port afterwards.
  const port = await freePort();
  const server = await startDashboard(t, {
    clock: () => clock.now,
    config: (config) => ({
      ...config,
      mail: { ...config.mail, smtp: mailbox.url },
      verification: {
        ...config.verification,
        mails_per_hour: { ...config.verification.mails_per_hour, address: mailsPerHour },
      },
      dashboard: {
        ...config.dashboard,
        listen: `127.0.0.1:${port}`,
        ...dashboard,
        ...(isAtLocalhost && { public_url: `http://localhost:${port}` }),
      },
    }),
  });
  const { records, url } = server;
  const own = dashboard.public_url ? { host: new URL(dashboard.public_url).host } : {};
  const browser = () => openCookieBrowser(`http://127.0.0.1:${port}`, own);
  return {
    ...{ ...server, clock, mailbox, browser },
    async person(email, role = 'member') {
      const { id } = await records.users.invite({ email, role, plan: 'hobby' });
      await records.users.changePassword({ accountId: id, password: cheapHash(PASSWORD), keepSession: '' });
      const visitor = browser();
      const { status } = await visitor.post('/sign-in', { email, password: PASSWORD });
      if (status !== 303) throw new Error(`the sign-in answered ${status}`);
      return { accountId: id, browser: visitor };
    },
    async signIn(email, password = PASSWORD) {
      const visitor = browser();
      await visitor.post('/sign-in', { email, password });
      return visitor;
    },
    async setUpPath() {
      return new URL((await createSetUpLink(records, url)) ?? '').pathname;
    },
  };
}

/** The link in a mail. */
export function linkIn(mail: { readonly text: string } | undefined): string {
  const [link = ''] = /https?:\/\/\S+/.exec(mail?.text ?? '') ?? [];
  return link === '' ? '' : new URL(link).pathname;
}
