import type { PasswordHasher } from './password-hasher.ts';
import { refuseOversized } from './password-rules.ts';
import type { PasswordGuess, SignInThrottle } from './sign-in-throttle.ts';

export interface PasswordAttempt {
  readonly guess: PasswordGuess;
  readonly password: string;
  /** The hash to compare with. Null where there is no account, or none with a password. */
  readonly stored: string | null;
}

/**
 * Whether a password is right; wrong ones are counted.
 *
 * @throws AccountError `too_many_attempts`; `too_long`, or `busy` when too many passwords are compared at once: neither
 * is counted.
 */
export async function checkPassword(
  { guess, password, stored }: PasswordAttempt,
  { throttle, hasher }: { readonly throttle: SignInThrottle; readonly hasher: PasswordHasher },
): Promise<boolean> {
  refuseOversized(password);
  await throttle.begin(guess);
  try {
    const isRight = await hasher.verify(password, stored);
    if (isRight) throttle.succeed(guess);
    return isRight;
  } catch (error) {
    throttle.abandon(guess);
    throw error;
  }
}
