import type { Mailbox } from '../addresses/email-address.ts';
import { canonicalMailbox } from './canonical-mailbox.ts';

/**
 * The mailbox under which mails are counted, to protect it from a flood of mails. Tags are removed for every provider.
 * This may merge two people; the worst effect is that one of them waits for a mail.
 */
export function budgetedMailbox(mailbox: Mailbox): string {
  return canonicalMailbox(mailbox).replace(/(?<=.)\+[^@]*(?=@[^@]*$)/, '');
}
