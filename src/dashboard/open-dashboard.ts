import type { RequestListener } from 'node:http';
import type { Config } from '../config/config.ts';
import { isLoopbackHost, type ListenAddress, parseListenAddress } from '../config/listen-address.ts';
import type { AcceptConnections } from '../http/bind-server.ts';
import { type Listener, openListener } from '../http/listener.ts';
import { logFull } from '../http/open-connections.ts';
import type { Mail } from '../mail/mail.ts';
import { createMailQueue } from '../mail/mail-queue.ts';
import type { Mailer } from '../mail/mailer.ts';
import { createDashboard } from './dashboard-app.ts';
import type { DashboardDependencies } from './dashboard-dependencies.ts';
import { dashboardUrl } from './dashboard-url.ts';

export interface OpenDashboard {
  /** The URL that the dashboard listens on, now or as soon as its address is free. */
  readonly url: string;
  /** False while another program uses its address. */
  readonly isOpen: boolean;
  /** @param withinMs The longest time to wait for running requests; left out: `server.drain_timeout`. */
  close(withinMs?: number): Promise<void>;
}

export interface OpenDashboardOptions extends Omit<DashboardDependencies, 'publicUrl' | 'mails'> {
  /** The caller opens and closes it. */
  readonly mailer: Mailer;
  /** Settings of the listener; settings that a reload changes come from `config()`. */
  readonly openedWith: Config;
  /** Left out: the listener accepts connections itself. */
  readonly accept?: AcceptConnections | undefined;
}

const DEFAULT_LISTEN: ListenAddress = { host: '127.0.0.1', port: 8081 };
const TRY_AGAIN_MS = 5_000;

/**
 * The dashboard on its own listener. The API and the gate work without it. If its address is in use, the dashboard logs
 * an error and tries again until the address is free: an earlier process may still be stopping.
 */
export async function openDashboard({
  openedWith,
  mailer,
  accept,
  ...parts
}: OpenDashboardOptions): Promise<OpenDashboard> {
  const { log } = parts;
  const listen = parseListenAddress(openedWith.dashboard.listen) ?? DEFAULT_LISTEN;
  let listener: Listener | null = null;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  const mails = createMailQueue({ mailer: { send: sendForAccount, close() {} }, log });
  const urlNow = () => dashboardUrl(parts.config(), listener?.address ?? listen);
  const handler: RequestListener = createDashboard({
    ...parts,
    mails,
    mailbox: () => (isLoopbackHost(listen.host) ? parts.mailbox() : null),
    publicUrl: urlNow,
  });

  /** Without a mail server, mails with sign-in links may be shown only until the first account exists. */
  async function sendForAccount(mail: Mail): Promise<void> {
    const mailbox = parts.mailbox();
    if (mailbox === null) {
      await mailer.send(mail);
      return;
    }
    if (await parts.records.users.hasOperator()) mailbox.forAccounts.stop();
    await mailbox.forAccounts.send(mail);
  }

  async function open(): Promise<void> {
    try {
      const onFull = logFull(log, 'dashboard');
      const opened = await openListener({ listen, limits: openedWith.server, handler, accept, onFull });
      if (closed) await opened.close();
      else listener = opened;
      if (timer !== undefined) log.info({ url: urlNow() }, 'the dashboard listens');
    } catch (error) {
      if (!isAddressInUse(error)) throw error;
      if (timer === undefined)
        log.error({ err: error }, 'the address of the dashboard is in use; the dashboard tries again');
      timer = setTimeout(() => void open().catch(giveUp), TRY_AGAIN_MS);
      timer.unref();
    }
  }
  function giveUp(error: unknown): void {
    log.error({ err: error }, 'the dashboard cannot be opened; restart to try again');
  }

  await open();
  return {
    get url() {
      return urlNow();
    },
    get isOpen() {
      return listener !== null;
    },
    async close(withinMs = openedWith.server.drain_timeout) {
      const endAt = performance.now() + withinMs;
      closed = true;
      clearTimeout(timer);
      await listener?.close(withinMs);
      await mails.close(Math.max(0, endAt - performance.now()));
    },
  };
}

function isAddressInUse(error: unknown): boolean {
  const { cause } = error as { readonly cause?: { readonly code?: unknown } };
  return cause?.code === 'EADDRINUSE';
}
