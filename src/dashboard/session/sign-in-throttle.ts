import { hash } from 'node:crypto';
import { createFailureLimiter } from '../../counters/failure-limiter.ts';
import { PageError } from '../page-error.ts';

/** Bounds how many wrong passwords are tried, for an account and from an address. */
export interface SignInThrottle {
  /**
   * Before the password is looked at, so that tries at the same moment count too. The email counts as typed, whether it
   * has an account or not: a refusal tells nothing of that.
   *
   * @throws PageError 429
   */
  begin(email: string, origin: string): void;
  /** The password was right. */
  succeed(email: string, origin: string): void;
  /** The password was not looked at after all. */
  abandon(email: string, origin: string): void;
  /** The owner showed in another way who they are: by a link from their mailbox. */
  forget(email: string): void;
}

const WINDOW_MS = 15 * 60_000;
const PER_ACCOUNT = { limit: 10, windowMs: WINDOW_MS, maxKeys: 50_000 };
const PER_ORIGIN = { limit: 50, windowMs: WINDOW_MS, maxKeys: 50_000 };

export function createSignInThrottle(clock: () => number): SignInThrottle {
  const accounts = createFailureLimiter(PER_ACCOUNT);
  const origins = createFailureLimiter(PER_ORIGIN);
  return {
    begin(email, origin) {
      const now = clock();
      const waitMs = Math.max(origins.take(origin, now), accounts.take(keyOf(email), now));
      if (waitMs === 0) return;
      const minutes = Math.ceil(waitMs / 60_000);
      throw new PageError(
        429,
        `There were too many tries. Wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`}, or set a new password by mail.`,
        Math.ceil(waitMs / 1_000),
      );
    },
    succeed(email, origin) {
      accounts.forget(keyOf(email));
      origins.giveBack(origin);
    },
    abandon(email, origin) {
      accounts.giveBack(keyOf(email));
      origins.giveBack(origin);
    },
    forget: (email) => accounts.forget(keyOf(email)),
  };
}

/** Of one size, whatever was typed. */
function keyOf(email: string): string {
  return hash('sha256', email.toLowerCase(), 'base64url');
}
