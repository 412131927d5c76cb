import { type Mailbox, parseMailbox } from '../addresses/mailbox.ts';

/** An email that somebody signs in with, and the one text that it is stored and compared as. */
export interface SignInEmail {
  readonly text: string;
  readonly mailbox: Mailbox;
}

/** Letter case does not tell people apart, in the local part either: no mail system in use holds it against anybody. */
export function readEmail(typed: string): SignInEmail | null {
  const mailbox = parseMailbox(typed.trim());
  if (!mailbox) return null;
  const text = `${mailbox.localPart.toLowerCase()}@${mailbox.domain.ascii}`;
  const stored = parseMailbox(text);
  return stored && { text, mailbox: stored };
}

export const EMAIL_MISTAKE = 'That is not an email address: write it like name@example.com.';
