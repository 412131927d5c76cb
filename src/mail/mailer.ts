import type { Mail } from './mail.ts';

/** Takes a mail to where it is read: an SMTP server, or the development mailbox. */
export interface Mailer {
  /** @throws MailError */
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** A mail that was not taken. The message holds no address: it is logged. */
export class MailError extends Error {
  override readonly name = 'MailError';
  /** Trying again would not help. */
  readonly isFinal: boolean;

  constructor(isFinal: boolean, message: string, options?: ErrorOptions) {
    super(message, options);
    this.isFinal = isFinal;
  }
}
