import type { Clock } from '../clock.ts';
import type { Mail } from './mail.ts';
import { MailError, type Mailer } from './mailer.ts';

/** Keeps mails when no server is configured, for a page that shows them to developers. */
export interface DevelopmentMailbox extends Mailer {
  /** The mails, newest first. */
  received(): readonly ReceivedMail[];
  /** Accepts the mails of the dashboard's accounts. They are stored apart from the other mails. */
  readonly forAccounts: AccountMailer;
}

/**
 * A link in an account mail signs in as the owner of the account. Such mails are kept only until an operator exists.
 * Then they are deleted, and new ones are refused.
 */
export interface AccountMailer extends Mailer {
  /** To be called as soon as an operator exists. */
  stop(): void;
}

export interface ReceivedMail {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly mail: Mail;
}

interface KeptMail extends ReceivedMail {
  readonly isOfAccount: boolean;
}

const MAX_MAILS = 100;

/** Keeps the last hundred mails in memory until the process ends. */
export function createDevelopmentMailbox(clock: Clock): DevelopmentMailbox {
  let received: KeptMail[] = [];
  let takesAccountMails = true;

  function take(mail: Mail, isOfAccount: boolean): void {
    received = [{ at: clock(), mail, isOfAccount }, ...received].slice(0, MAX_MAILS);
  }

  return {
    received: () => received,
    async send(mail) {
      take(mail, false);
    },
    close() {
      received = [];
    },
    forAccounts: {
      async send(mail) {
        if (!takesAccountMails) {
          throw new MailError(true, 'mail.smtp is not set, and an operator exists');
        }
        take(mail, true);
      },
      stop() {
        takesAccountMails = false;
        received = received.filter(({ isOfAccount }) => !isOfAccount);
      },
      close() {},
    },
  };
}
