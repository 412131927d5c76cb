import type { Mail } from './mail.ts';
import { MailError, type Mailer } from './mailer.ts';

/**
 * Reports the result of each try to send a mail. A mail that the server refuses at every try, such as one to a full
 * mailbox, is reported once: it does not show that the server has a problem.
 */
export function observedMailer(
  mailer: Mailer,
  outcomes: { succeeded(): void; failed(because: string): void },
): Mailer {
  const refused = new WeakSet<Mail>();
  return {
    async send(mail) {
      try {
        await mailer.send(mail);
      } catch (error) {
        // Only these messages are safe to report: others may quote the recipient.
        if (!refused.has(mail))
          outcomes.failed(error instanceof MailError ? error.message : 'unexpected error');
        if (error instanceof MailError && error.isAboutMail) refused.add(mail);
        throw error;
      }
      outcomes.succeeded();
    },
    close: () => mailer.close(),
  };
}
