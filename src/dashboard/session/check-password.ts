import type { PasswordHasher } from './password-hash.ts';
import type { SignInThrottle } from './sign-in-throttle.ts';

export interface PasswordGuess {
  /** Whose password it is said to be: an email as typed, or another name of an account. */
  readonly account: string;
  /** Where the guess comes from. */
  readonly origin: string;
  readonly password: string;
  /** Null where there is no account, or none with a password. */
  readonly stored: string | null;
}

/**
 * Whether a password is right; wrong ones are counted for the account and for where they come from.
 *
 * @throws PageError 429 when there were too many, 503 when too many are compared at once: that one is not counted.
 */
export async function checkPassword(
  { account, origin, password, stored }: PasswordGuess,
  { throttle, hasher }: { readonly throttle: SignInThrottle; readonly hasher: PasswordHasher },
): Promise<boolean> {
  throttle.begin(account, origin);
  try {
    const isRight = await hasher.verify(password, stored);
    if (isRight) throttle.succeed(account, origin);
    return isRight;
  } catch (error) {
    throttle.abandon(account, origin);
    throw error;
  }
}
