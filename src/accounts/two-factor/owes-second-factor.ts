import type { Account } from '../../storage/accounts/account-store.ts';
import type { Session } from '../../storage/accounts/session-store.ts';

/** For a session that owes a second factor which the user has: it proves that one first. */
export const NEEDS_PASSKEY =
  'Your account has a passkey. Confirm with it before you add another second factor.';

/**
 * Whether a session opens no page but that of the set-up: two-factor is required, and only the password opened the
 * session. A session by a passkey owes nothing: the passkey is the second factor.
 *
 * @param isRequired The current `dashboard.require_two_factor`.
 */
export function owesSecondFactor(
  { account, session }: { readonly account: Account; readonly session: Session },
  isRequired: boolean,
): boolean {
  return isRequired && account.twoFactorSince === null && !session.byPasskey;
}
