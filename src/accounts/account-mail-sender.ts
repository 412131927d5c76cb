import { randomInt } from 'node:crypto';
import type { IpAddress } from '../addresses/ip-address.ts';
import { budgetedMailbox } from '../assessment/budgeted-mailbox.ts';
import { identify, type Pseudonymize } from '../assessment/identity.ts';
import type { MailQueue } from '../mail/mail-queue.ts';
import type { Account } from '../storage/accounts/account-store.ts';
import type { AccountToken, MailCount } from '../storage/accounts/account-token-store.ts';
import type { Storage } from '../storage/storage.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Language } from '../web/languages.ts';
import { AccountError } from './account-error.ts';
import { draftLink } from './account-links.ts';
import { type AccountMailKind, composeAccountMail } from './compose-account-mail.ts';
import type { SignInEmail } from './read-email.ts';

/**
 * Mails links on request. The mail is sent after the answer, so that neither the text nor the time of the answer shows
 * whether an account exists. These mails and the mails of the verification share the hourly budgets per mailbox, per IP
 * address and per IPv6 /64, because the budgets protect the same mailboxes. Links for a new password have their own
 * budget.
 *
 * Each throws AccountError `busy` when too many mails wait.
 */
export interface AccountMailSender {
  /** Mails a link to register. The owner of an account gets a mail that says that the account exists. */
  register(request: MailRequest): void;
  /** Mails a link to choose a new password; no mail to a mailbox without an account. */
  resetPassword(request: MailRequest): void;
  /** Mails a link to the new mailbox; no mail if this mailbox has an account. */
  changeEmail(request: MailRequest & EmailChange): void;
  /** Informs the old mailbox of an account. */
  emailChanged(request: MailRequest): void;
  /** Mails the link of an invitation. False when an hourly budget is used up: no mail is sent. */
  invite(request: MailRequest, link: string): Promise<boolean>;
  /** Informs a user whose second factor an operator removed. */
  twoFactorRemoved(request: MailRequest): void;
}

export interface MailRequest {
  readonly email: SignInEmail;
  /** The IP address of the client. The mail counts against the budget of this address. */
  readonly ip: IpAddress;
  /** The language of the browser that caused the mail. For most mails this is the browser of the recipient. */
  readonly language: Language;
}

/** The account as it was when its password allowed the change. No mail is sent after a later change of the password. */
export interface EmailChange {
  readonly accountId: string;
  readonly passwordChangedAt: number | null;
}

export interface AccountMailDependencies {
  readonly records: Pick<Storage, 'users' | 'accountTokens'>;
  readonly mails: Pick<MailQueue, 'add'>;
  readonly pseudonymize: Pseudonymize;
  /** The mail budgets of the current configuration. */
  readonly mailBudgets: () => MailCount['budgets'];
  readonly publicUrl: () => string;
  readonly log: Logger;
}

const MAX_DELAY_MS = 1_000;
/** Higher than any number of mails that users request within a second. */
const MAX_WAITING = 100;
const RETRY_AFTER_SECONDS = 10;

export function createAccountMailSender({
  records,
  mails,
  pseudonymize,
  mailBudgets,
  publicUrl,
  log,
}: AccountMailDependencies): AccountMailSender {
  let waiting = 0;

  function later(kind: AccountMailKind, work: () => Promise<boolean>): void {
    if (waiting >= MAX_WAITING) {
      throw new AccountError(
        'busy',
        'Too many mails wait to be sent. Try again in a moment.',
        RETRY_AFTER_SECONDS,
      );
    }
    waiting++;
    // The mail is sent after a random delay. Without the delay, the time of a second request would show whether a mail
    // was sent.
    const timer = setTimeout(() => {
      work()
        .then((isWithinBudget) => {
          if (!isWithinBudget)
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
      budgets: mailBudgets(),
    };
  }

  function send(kind: AccountMailKind, { email, language }: MailRequest, link: string): void {
    const given = { recipient: email.text, publicUrl: publicUrl(), link, language };
    // The queue logs a failure. The user can request another mail.
    mails.add(composeAccountMail(kind, given), () => {});
  }

  async function sendLink(
    kind: AccountToken['kind'] & AccountMailKind,
    request: MailRequest,
    account: { readonly accountId: string | null; readonly passwordChangedAt?: number | null },
  ): Promise<boolean> {
    const { url, token } = draftLink(publicUrl(), { kind, email: request.email.text, ...account });
    const link = await records.accountTokens.createForMail(token, countFor(request));
    if (link === 'stored') send(kind, request, url);
    return link !== 'over-budget';
  }

  async function sendNotice(kind: AccountMailKind, request: MailRequest): Promise<boolean> {
    const isWithinBudget = await records.accountTokens.countMail(countFor(request));
    if (isWithinBudget) send(kind, request, `${publicUrl()}/sign-in`);
    return isWithinBudget;
  }

  const find = ({ email }: MailRequest): Promise<Account | null> => records.users.findByEmail(email.text);

  return {
    register: (request) =>
      later('registration', async () =>
        (await find(request))
          ? sendNotice('already-registered', request)
          : sendLink('registration', request, { accountId: null }),
      ),
    resetPassword: (request) =>
      later('password-reset', async () => {
        const account = await find(request);
        return account ? sendLink('password-reset', request, { accountId: account.id }) : true;
      }),
    changeEmail: ({ accountId, passwordChangedAt, ...request }) =>
      later('email-change', async () =>
        (await find(request)) ? true : sendLink('email-change', request, { accountId, passwordChangedAt }),
      ),
    emailChanged: (request) => later('email-changed', () => sendNotice('email-changed', request)),
    async invite(request, link) {
      const isWithinBudget = await records.accountTokens.countMail(countFor(request));
      if (isWithinBudget) send('invitation', request, link);
      return isWithinBudget;
    },
    twoFactorRemoved: (request) =>
      later('two-factor-removed', () => sendNotice('two-factor-removed', request)),
  };
}
