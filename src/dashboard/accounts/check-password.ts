import type { PasswordHasher } from './password-hash.ts';
import type { Guesser, SignInThrottle } from './sign-in-throttle.ts';

export interface PasswordGuess {
  readonly guesser: Guesser;
  readonly password: string;
  /** Null where there is no account, or none with a password. */
  readonly stored: string | null;
}

/**
 * Whether a password is right; wrong ones are counted.
 *
 * @throws PageError 429 when there were too many, 503 when too many are compared at once: that one is not counted.
 */
export async function checkPassword(
  { guesser, password, stored }: PasswordGuess,
  { throttle, hasher }: { readonly throttle: SignInThrottle; readonly hasher: PasswordHasher },
): Promise<boolean> {
  await throttle.begin(guesser);
  try {
    const isRight = await hasher.verify(password, stored);
    if (isRight) throttle.succeed(guesser);
    return isRight;
  } catch (error) {
    throttle.abandon(guesser);
    throw error;
  }
}
