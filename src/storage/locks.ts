/**
 * The names that transactions lock before they check and write; see `StorageEngine.lock`. A transaction that needs
 * several takes them in this order, or two transactions could wait for each other.
 */

/**
 * All that changes an operator, an email, a password, an account's name or a second factor, and the links of accounts.
 */
export const ACCOUNTS_LOCK = 'accounts';

/** Names and numbers of an account's API keys. */
export function keysLockOf(accountId: string): string {
  return `keys of ${accountId}`;
}

/**
 * Mail budgets and room for held signups. One name: every mail counts against the budget of the site, so that locks of
 * the mailbox and the origin would not let two of them run at once.
 */
export const MAILS_LOCK = 'mails';

/** Revisions of the lists are committed in their order: another process reads on from the last one that it saw. */
export const LISTS_LOCK = 'lists';

/** Attacks are found by several processes, and stored as one event each. */
export const ATTACKS_LOCK = 'attacks';

/** A message about an attack is sent by one process. */
export const ALERTS_LOCK = 'alerts';

/** A condition of the site is seen by several processes, and stored as one incident. */
export const INCIDENTS_LOCK = 'incidents';
