import { randomInt } from 'node:crypto';
import { draftLink } from '../../accounts/account-links.ts';
import type { SignInEmail } from '../../accounts/read-email.ts';
import type { IpAddress } from '../../addresses/ip-address.ts';
import { budgetedMailbox } from '../../assessment/budgeted-mailbox.ts';
import { identify } from '../../assessment/identity.ts';
import type { Account, AccountToken, MailCount } from '../../storage/accounts/people-records.ts';
import { budgetsOf } from '../../verification/verify-step.ts';
import type { DashboardDependencies } from '../dashboard-dependencies.ts';
import { PageError } from '../page-error.ts';
import { type AccountMailKind, composeAccountMail } from './account-mails.ts';

/**
 * Mails links to those who ask for them. All of it happens after the page was answered: neither what it says nor how
 * long it takes tells whether there is an account. Hourly budgets per mailbox, address and site are those of the
 * verification: they protect the same mailboxes. Links for a new password have one of their own.
 */
export interface MailDesk {
  /** A link to register with; to somebody with an account, a mail that says so. */
  register(request: MailRequest): void;
  /** A link to choose a new password; nothing to a mailbox without account. */
  resetPassword(request: MailRequest): void;
  /** A link to the new mailbox; nothing to one that has an account. */
  changeEmail(request: MailRequest & { readonly accountId: string }): void;
  /** Tells the mailbox that an account had before. */
  emailChanged(request: MailRequest): void;
}

export interface MailRequest {
  readonly email: SignInEmail;
  /** Whose address the mail is counted for. */
  readonly ip: IpAddress;
}

type DeskDependencies = Pick<
  DashboardDependencies,
  'records' | 'mails' | 'pseudonymize' | 'config' | 'publicUrl' | 'log'
>;

const MAX_DELAY_MS = 1_000;
/** Far more than people ask for within a second. */
const MAX_WAITING = 100;
const RETRY_AFTER_SECONDS = 10;

export function createMailDesk({
  records,
  mails,
  pseudonymize,
  config,
  publicUrl,
  log,
}: DeskDependencies): MailDesk {
  let waiting = 0;

  function later(kind: AccountMailKind, work: () => Promise<boolean>): void {
    if (waiting >= MAX_WAITING) {
      throw new PageError(503, 'Too many mails wait to be sent: try again in a moment.', RETRY_AFTER_SECONDS);
    }
    waiting++;
    // At a moment of its own: right behind the answer, the work itself could be felt by a second request.
    const timer = setTimeout(() => {
      work()
        .then((within) => {
          if (!within)
            log.warn({ kind }, 'a mail of the dashboard was not sent: an hourly budget is used up');
        })
        .catch((error: unknown) => log.error({ err: error, kind }, 'a mail of the dashboard was not sent'))
        .finally(() => {
          waiting--;
        });
    }, randomInt(MAX_DELAY_MS));
    timer.unref();
  }

  function countFor({ email: { mailbox }, ip }: MailRequest): MailCount {
    const { site, ip: address } = identify({ email: { mailbox }, ip, userAgent: null }, pseudonymize);
    return {
      keys: { mailbox: pseudonymize(`mail budget ${budgetedMailbox(mailbox)}`), origin: site ?? address },
      budgets: budgetsOf(config().verification),
    };
  }

  function send(kind: AccountMailKind, { email }: MailRequest, link: string): void {
    // How it fares is logged by the queue; whoever waits for the mail can ask again.
    mails.add(composeAccountMail(kind, { recipient: email.text, publicUrl: publicUrl(), link }), () => {});
  }

  async function sendLink(
    kind: AccountToken['kind'] & AccountMailKind,
    request: MailRequest,
    accountId: string | null,
  ) {
    const { url, token } = draftLink(publicUrl(), { kind, accountId, email: request.email.text });
    const within = await records.accountTokens.createForMail(token, countFor(request));
    if (within) send(kind, request, url);
    return within;
  }

  async function sendNotice(kind: AccountMailKind, request: MailRequest): Promise<boolean> {
    const within = await records.accountTokens.countMail(countFor(request));
    if (within) send(kind, request, `${publicUrl()}/sign-in`);
    return within;
  }

  const find = ({ email }: MailRequest): Promise<Account | null> => records.people.findByEmail(email.text);

  return {
    register: (request) =>
      later('registration', async () =>
        (await find(request))
          ? sendNotice('already-registered', request)
          : sendLink('registration', request, null),
      ),
    resetPassword: (request) =>
      later('password-reset', async () => {
        const account = await find(request);
        return account ? sendLink('password-reset', request, account.id) : true;
      }),
    changeEmail: ({ accountId, ...request }) =>
      later('email-change', async () =>
        (await find(request)) ? true : sendLink('email-change', request, accountId),
      ),
    emailChanged: (request) => later('email-changed', () => sendNotice('email-changed', request)),
  };
}
