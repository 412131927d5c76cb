import type { Account } from '../../storage/accounts/account-store.ts';
import type { Session } from '../../storage/accounts/session-store.ts';

/** For a session that must still prove a second factor which the user already has. */
export const NEEDS_PASSKEY =
  'Your account has a passkey. Confirm with it before you add another second factor.';

/**
 * Whether a session may open only the set-up page: two-factor is required, and the session was opened with a password
 * alone. A session opened with a passkey may open all pages, because the passkey is the second factor.
 * @param isRequired The current `dashboard.require_two_factor`.
 */
export function owesSecondFactor(
  { account, session }: { readonly account: Account; readonly session: Session },
  isRequired: boolean,
): boolean {
  return isRequired && account.twoFactorSince === null && !session.byPasskey;
}
