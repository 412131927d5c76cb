import type { PasswordHasher } from './password-hasher.ts';
import { refuseOversized } from './password-rules.ts';
import type { SignInGuess, SignInThrottle } from './sign-in-throttle.ts';

export interface PasswordAttempt {
  readonly guess: SignInGuess;
  readonly password: string;
  /** The hash to compare with. Null when the account does not exist or has no password. */
  readonly stored: string | null;
}

/**
 * Whether a password is right. Wrong passwords are counted.
 *
 * @throws AccountError `too_many_attempts`; `too_long`, or `busy` when too many passwords are compared at once.
 * `too_long` and `busy` do not count as a try.
 */
export async function checkPassword(
  { guess, password, stored }: PasswordAttempt,
  { throttle, hasher }: { readonly throttle: SignInThrottle; readonly hasher: PasswordHasher },
): Promise<boolean> {
  refuseOversized(password);
  await throttle.begin(guess);
  try {
    const isRight = await hasher.verify(password, stored, {
      origin: guess.origin,
      isKnown: guess.browser !== null,
    });
    if (isRight) throttle.succeed(guess);
    return isRight;
  } catch (error) {
    throttle.abandon(guess);
    throw error;
  }
}
