import type { AccountError, AccountErrorCode } from '../accounts/account-error.ts';

/** A page that cannot be shown, thrown to the edge. The message is a sentence for the viewer. */
export class PageError extends Error {
  override readonly name = 'PageError';
  readonly status: 400 | 403 | 404 | 405 | 409 | 413 | 415 | 421 | 429 | 500 | 503;
  readonly retryAfterSeconds: number | null;

  constructor(status: PageError['status'], message: string, retryAfterSeconds: number | null = null) {
    super(message);
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** A form that was open in one tab while another tab signed in again. */
export class EarlierSessionError extends PageError {
  /** @param formPath The path of the page with the form. */
  constructor(readonly formPath: string) {
    super(403, 'This form is from an earlier session, so nothing was changed. Open it again and send it.');
  }
}

const STATUSES: Readonly<Record<AccountErrorCode, PageError['status']>> = {
  invalid: 400,
  conflict: 409,
  too_long: 413,
  too_many_attempts: 429,
  busy: 503,
};

export function pageErrorOf({ code, message, retryAfterSeconds }: AccountError): PageError {
  return new PageError(STATUSES[code], message, retryAfterSeconds);
}

/** The same answer for a record of another account and for a missing record. */
export function notThere(): PageError {
  return new PageError(404, 'This page does not exist, or you have no access to it.');
}
