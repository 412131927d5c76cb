import type { Mailbox } from '../addresses/mailbox.ts';
import { canonicalMailbox } from './canonical-mailbox.ts';

/**
 * The mailbox that mails are counted for: whoever would be bombed. A tag is cut wherever one may stand, which may merge
 * people who are told apart elsewhere, at the price of waiting for a mail.
 */
export function budgetedMailbox(mailbox: Mailbox): string {
  return canonicalMailbox(mailbox).replace(/(?<=.)\+[^@]*(?=@[^@]*$)/, '');
}
