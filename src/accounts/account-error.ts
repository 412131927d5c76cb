/** `invalid`: the input is wrong. `conflict`: the state of the account does not allow it. `busy`: a queue is full. */
export type AccountErrorCode = 'invalid' | 'too_long' | 'conflict' | 'too_many_attempts' | 'busy';

/** Shown when the session of the user ended during the change. */
export const CHANGED_MEANWHILE = 'Your account was changed in another window. Sign in again.';

/** A refused change of an account. The message is a sentence for the user of the page or of the command line. */
export class AccountError extends Error {
  override readonly name = 'AccountError';
  readonly code: AccountErrorCode;
  readonly retryAfterSeconds: number | null;

  constructor(code: AccountErrorCode, message: string, retryAfterSeconds: number | null = null) {
    super(message);
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
