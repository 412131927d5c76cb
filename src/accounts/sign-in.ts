import type { Storage } from '../storage/storage.ts';
import { checkPassword } from './check-password.ts';
import { knownBrowserId } from './known-browser.ts';
import type { PasswordHasher } from './password-hasher.ts';
import { readEmail } from './read-email.ts';
import { originOf, type SignInThrottle } from './sign-in-throttle.ts';
import type { Entered, SecondStep } from './two-factor/second-step.ts';
import type { Client } from './user-sessions.ts';

export interface Credentials {
  /** The email as typed. */
  readonly email: string;
  readonly password: string;
}

/**
 * Signs in with the right password. If the account has a second step, the sign-in then waits for it. Null for an
 * unknown email and for a wrong password; both take the same work.
 *
 * @throws AccountError `too_many_attempts`, `too_long`, `busy`.
 */
export type SignIn = (credentials: Credentials, client: Client) => Promise<Entered | null>;

interface SignInDependencies {
  readonly records: Pick<Storage, 'users'>;
  readonly secret: string;
  readonly throttle: SignInThrottle;
  readonly hasher: PasswordHasher;
  readonly secondStep: SecondStep;
}

export function createSignIn({ records, secret, throttle, hasher, secondStep }: SignInDependencies): SignIn {
  return async ({ email: typed, password }, client) => {
    const email = readEmail(typed)?.text ?? typed;
    const found = await records.users.findPassword(email);
    const guess = {
      account: email,
      origin: originOf(client.ip),
      browser: knownBrowserId(client.knownBrowser, found?.account ?? null, secret),
    };
    const stored = found?.password ?? null;
    const isRight = await checkPassword({ guess, password, stored }, { throttle, hasher });
    // If the password was changed during the comparison, no session opens.
    return isRight && found ? secondStep.enter(found.account, client) : null;
  };
}
