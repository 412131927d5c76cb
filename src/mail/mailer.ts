import type { Mail } from './mail.ts';

/** Delivers a mail to an SMTP server or to the development mailbox. */
export interface Mailer {
  /** @throws MailError */
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** A mail that was not accepted. The message contains no mailbox, since it is logged. */
export class MailError extends Error {
  override readonly name = 'MailError';
  /** Whether the error is permanent. A retry is useless then. */
  readonly isFinal: boolean;

  /** Whether the server answered, and refused this mail: another mail may be accepted. */
  readonly isAboutMail: boolean;

  constructor(
    isFinal: boolean,
    message: string,
    options?: ErrorOptions & { readonly isAboutMail?: boolean },
  ) {
    super(message, options);
    this.isFinal = isFinal;
    this.isAboutMail = options?.isAboutMail ?? false;
  }
}
