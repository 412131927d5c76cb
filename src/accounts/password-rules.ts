import { AccountError } from './account-error.ts';
import { isCommonPassword } from './common-passwords.ts';

export const MIN_PASSWORD_LENGTH = 8;
/** All characters of a password count. A longer password is refused before it is hashed. */
const MAX_PASSWORD_LENGTH = 4_096;
export const PASSWORD_HINT = `At least ${MIN_PASSWORD_LENGTH} characters. Several words in a row are easy to remember.`;

/**
 * Why a new password is refused, as a sentence; undefined if it is accepted.
 *
 * @throws AccountError `too_long`
 */
export async function passwordProblem(password: string, email: string | null): Promise<string | undefined> {
  refuseOversized(password);
  if ([...password].length < MIN_PASSWORD_LENGTH) {
    return `The password is too short. Use at least ${MIN_PASSWORD_LENGTH} characters.`;
  }
  if (new Set(password).size < 3)
    return 'The password repeats only one or two characters. Choose another password.';
  if (email !== null && password.toLowerCase() === email)
    return 'The password must not be the email. Choose another password.';
  if (await isCommonPassword(password))
    return 'Many people use this password, so it is guessed first. Choose another password.';
  return undefined;
}

/** @throws AccountError `too_long` */
export function refuseOversized(password: string): void {
  if (password.length <= MAX_PASSWORD_LENGTH) return;
  throw new AccountError(
    'too_long',
    `The password is too long. Use at most ${MAX_PASSWORD_LENGTH.toLocaleString('en')} characters.`,
  );
}
