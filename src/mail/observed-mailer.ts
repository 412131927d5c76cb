import { MailError, type Mailer } from './mailer.ts';

/** Reports the result of each try to send a mail. */
export function observedMailer(
  mailer: Mailer,
  outcomes: { succeeded(): void; failed(because: string): void },
): Mailer {
  return {
    async send(mail) {
      try {
        await mailer.send(mail);
      } catch (error) {
        // Only these messages are safe to report: others may quote the recipient.
        outcomes.failed(error instanceof MailError ? error.message : 'unexpected error');
        throw error;
      }
      outcomes.succeeded();
    },
    close: () => mailer.close(),
  };
}
