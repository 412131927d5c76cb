import { AccountError } from './account-error.ts';

export const MIN_PASSWORD_LENGTH = 8;
/** All characters count. Longer passwords are refused before they cost a hash. */
const MAX_PASSWORD_LENGTH = 4_096;
export const PASSWORD_HINT = `At least ${MIN_PASSWORD_LENGTH} characters; several words in a row are easy to keep in mind.`;

/**
 * Why a new password is refused, as a sentence; undefined where it is accepted.
 *
 * @throws AccountError `too_long`
 */
export function passwordProblem(password: string, email: string | null): string | undefined {
  refuseOversized(password);
  if ([...password].length < MIN_PASSWORD_LENGTH) {
    return `The password is too short: it needs ${MIN_PASSWORD_LENGTH} characters at least.`;
  }
  if (new Set(password).size < 3) return 'The password repeats one or two characters: choose another.';
  if (email !== null && password.toLowerCase() === email) return 'The email is no password: choose another.';
  return undefined;
}

/** @throws AccountError `too_long` */
export function refuseOversized(password: string): void {
  if (password.length <= MAX_PASSWORD_LENGTH) return;
  throw new AccountError(
    'too_long',
    `A password has at most ${MAX_PASSWORD_LENGTH.toLocaleString('en')} characters.`,
  );
}
