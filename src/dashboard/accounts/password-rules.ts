import type { Form } from '../form.ts';
import { PageError } from '../page-error.ts';

export const MIN_PASSWORD_LENGTH = 8;
/** All of it counts. Longer ones are refused before anything is made of them. */
const MAX_PASSWORD_LENGTH = 4_096;
export const PASSWORD_HINT = `At least ${MIN_PASSWORD_LENGTH} characters; several words in a row are easy to keep in mind.`;

/** Why a password cannot be taken, as a sentence; undefined where it can. */
export function passwordProblem(password: string, email: string | null): string | undefined {
  if ([...password].length < MIN_PASSWORD_LENGTH) {
    return `The password is too short: it needs ${MIN_PASSWORD_LENGTH} characters at least.`;
  }
  if (new Set(password).size < 3) return 'The password repeats one or two characters: choose another.';
  if (email !== null && password.toLowerCase() === email) return 'The email is no password: choose another.';
  return undefined;
}

/** As typed, white space at its ends too. */
export function readPassword(form: Form, field: string): string {
  const password = form.raw(field);
  if (password.length > MAX_PASSWORD_LENGTH) {
    throw new PageError(
      413,
      `A password has at most ${MAX_PASSWORD_LENGTH.toLocaleString('en')} characters.`,
    );
  }
  return password;
}
