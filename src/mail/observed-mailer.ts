import { MailError, type Mailer } from './mailer.ts';

/** Tells how each try to send a mail ended. */
export function observedMailer(
  mailer: Mailer,
  outcomes: { succeeded(): void; failed(because: string): void },
): Mailer {
  return {
    async send(mail) {
      try {
        await mailer.send(mail);
      } catch (error) {
        // Other messages may quote the recipient.
        outcomes.failed(error instanceof MailError ? error.message : 'unexpected error');
        throw error;
      }
      outcomes.succeeded();
    },
    close: () => mailer.close(),
  };
}
