import type { ExecutionContext } from 'ava';
import type { VerificationConfig } from '../../src/config/config.ts';
import { openSmtp } from '../../src/mail/open-smtp.ts';
import { openSqlite } from '../../src/storage/engine/open-sqlite.ts';
import { defaultConfig } from '../helpers/default-config.ts';
import { route } from '../helpers/routes.ts';
import { openSmtpMailbox, type SmtpMailbox } from '../helpers/smtp-mailbox.ts';
import { type GateServer, type GateServerOptions, openGateServer } from './gate-server.ts';

export const PUBLIC_URL = 'https://app.example';
export const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'accept-language': 'en' };

export interface MailGateOptions extends Omit<GateServerOptions, 'routes' | 'config'> {
  readonly trustedProxies?: readonly string[];
  readonly forwardAuth?: string;
  readonly origins?: readonly string[];
  readonly route?: Parameters<typeof route>[1];
  readonly verification?: Partial<VerificationConfig>;
}

export interface MailGate extends GateServer {
  readonly mailbox: SmtpMailbox;
  /** Another process drops the table of held signups. */
  failHeldSignups(): Promise<void>;
  /** Another process holds the write lock until the returned function releases it. */
  keepRecordsBusy(): Promise<() => void>;
}

export async function openMailGate(
  t: ExecutionContext,
  {
    route: changes,
    verification,
    trustedProxies = [],
    forwardAuth = '',
    origins = [],
    ...options
  }: MailGateOptions = {},
): Promise<MailGate> {
  const mailbox = await openSmtpMailbox(t);
  const gate = await openGateServer(t, {
    ...options,
    mailer: openSmtp({ url: mailbox.url, from: 'no-reply@app.example' }),
    routes: [route('/signup', { verify: { by: 'email' }, ...changes })],
    proxy: {
      ...{ public_url: PUBLIC_URL, origins },
      ...{ trusted_proxies: trustedProxies, forward_auth: forwardAuth || null },
    },
    config: { verification: { ...defaultConfig.verification, ...verification } },
  });
  return {
    ...{ ...gate, mailbox },
    async failHeldSignups() {
      const other = openSqlite(gate.databaseFile);
      other.exec('ALTER TABLE held_signups RENAME TO taken_away');
      other.close();
    },
    async keepRecordsBusy() {
      const other = openSqlite(gate.databaseFile);
      other.exec('BEGIN IMMEDIATE');
      return () => {
        other.exec('ROLLBACK');
        other.close();
      };
    },
  };
}

/** The page's path, from where the gate sends a browser or tells a program. */
export async function heldAt(response: Response): Promise<string> {
  const url =
    response.headers.get('location') ??
    ((await response.json()) as { readonly verification_url: string }).verification_url;
  if (!url.startsWith(`${PUBLIC_URL}/.gatekeeper/verify/`))
    throw new Error(`not a verification page: ${url}`);
  return new URL(url).pathname;
}

/** Sends the code of a mail as a program does. */
export function confirm(gate: GateServer, path: string, code: string): Promise<Response> {
  return fetch(`${gate.url}${path}`, {
    ...{ method: 'POST', redirect: 'manual', body: JSON.stringify({ code }) },
    headers: { 'content-type': 'application/json' },
  });
}
