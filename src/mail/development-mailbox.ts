import type { Clock } from '../clock.ts';
import type { Mail } from './mail.ts';
import { MailError, type Mailer } from './mailer.ts';

/** Keeps mails where no server is configured, for a page that shows them to developers. */
export interface DevelopmentMailbox extends Mailer {
  /** Newest first. */
  received(): readonly ReceivedMail[];
  /** Takes the mails of the dashboard's accounts, which are kept apart. */
  readonly forAccounts: AccountMailer;
}

/**
 * A link in a mail of an account signs in as its owner. Until there is an operator, such mails are kept like others;
 * from then on none is taken, and what was taken is forgotten.
 */
export interface AccountMailer extends Mailer {
  /** There is an operator now. */
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

/** Keeps the last hundred mails in memory, and forgets them at the end of the process. */
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
          throw new MailError(true, 'mail.smtp is not set, and there is an operator');
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
