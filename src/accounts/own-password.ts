import type { Storage } from '../storage/storage.ts';
import { checkPassword } from './check-password.ts';
import type { PasswordHasher } from './password-hasher.ts';
import { originOf, type SignInThrottle } from './sign-in-throttle.ts';
import type { Client, SessionRef } from './user-sessions.ts';

/** The user of the session. */
export interface SignedInUser extends SessionRef {
  readonly name: string;
  readonly email: string | null;
}

/**
 * Why the password of a signed-in user is refused, as a sentence; undefined if it is right. Changes need it, so that
 * the thief of a session cannot take over the account. Wrong passwords are throttled, so that the thief cannot guess
 * it.
 *
 * @throws AccountError `too_many_attempts`, `too_long`, `busy`.
 */
export type OwnPasswordProblem = (
  user: SignedInUser,
  password: string,
  client: Client,
) => Promise<string | undefined>;

export function createOwnPasswordProblem({
  records,
  ...dependencies
}: {
  readonly records: Pick<Storage, 'users'>;
  readonly throttle: SignInThrottle;
  readonly hasher: PasswordHasher;
}): OwnPasswordProblem {
  return async ({ accountId, sessionId }, password, { ip }) => {
    const stored = await records.users.findPasswordOf(accountId);
    const guess = {
      account: `account ${accountId}`,
      origin: originOf(ip),
      browser: `session ${sessionId}`,
    };
    const isRight = await checkPassword({ guess, password, stored }, dependencies);
    return isRight ? undefined : 'This is not your password.';
  };
}
