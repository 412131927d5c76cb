import type { Mailbox } from '../addresses/mailbox.ts';
import { canonicalMailbox } from './canonical-mailbox.ts';

/**
 * The mailbox under which mails are counted, to protect it from a flood of mails. A tag is removed with every provider.
 * This may merge two people, at worst with a wait for a mail.
 */
export function budgetedMailbox(mailbox: Mailbox): string {
  return canonicalMailbox(mailbox).replace(/(?<=.)\+[^@]*(?=@[^@]*$)/, '');
}
