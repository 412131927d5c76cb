import { type Mailbox, parseMailbox } from '../addresses/email-address.ts';
import { AccountError } from './account-error.ts';

/** An email that a user signs in with, and its canonical text for storage and comparison. */
export interface SignInEmail {
  readonly text: string;
  readonly mailbox: Mailbox;
}

export const EMAIL_MISTAKE = 'This is not an email address. Write it like name@example.com.';

/** Letter case is ignored, also in the local part, since no mail system in use distinguishes it. */
export function readEmail(typed: string): SignInEmail | null {
  const mailbox = parseMailbox(typed.trim());
  if (!mailbox) return null;
  const text = `${mailbox.localPart.toLowerCase()}@${mailbox.domain.ascii}`;
  const stored = parseMailbox(text);
  return stored && { text, mailbox: stored };
}

/** @throws AccountError `invalid` */
export function requireEmail(typed: string): SignInEmail {
  const email = readEmail(typed);
  if (!email) throw new AccountError('invalid', EMAIL_MISTAKE);
  return email;
}
