import { hash } from 'node:crypto';
import { type IpAddress, networkOf } from '../addresses/ip-address.ts';
import type { Counters } from '../counters/counters.ts';
import type { FailureLimits } from '../counters/failure-limiter.ts';
import { AccountError } from './account-error.ts';

/** One try of a password or a code: the account and the sender. */
export interface SignInGuess {
  /** The email as typed, with or without an account, so that a refusal does not show whether the account exists. */
  readonly account: string;
  /** See `originOf`. */
  readonly origin: string;
  /** A browser that signed in to this account before, or the id of a session of it. Null for an unknown browser. */
  readonly browser: string | null;
  /** When it is left out, it is a password. */
  readonly kind?: 'password' | 'code';
}

/** Limits the number of wrong passwords and codes. */
export interface SignInThrottle {
  /**
   * Called before the password is compared, so that simultaneous tries count too.
   *
   * @throws AccountError `too_many_attempts`
   */
  begin(guess: SignInGuess): Promise<void>;
  /** The password was right. */
  succeed(guess: SignInGuess): void;
  /** The password was not compared. */
  abandon(guess: SignInGuess): void;
  /** The owner opened a link from the mailbox, so earlier tries of unknown browsers no longer count. */
  forget(owner: Omit<SignInGuess, 'browser'>): void;
}

const MINUTE_MS = 60_000;
const MAX_KEYS = 50_000;
const BY_PAIR: FailureLimits = { limit: 10, windowMs: 15 * MINUTE_MS, maxKeys: MAX_KEYS };
const BY_ORIGIN: FailureLimits = { limit: 50, windowMs: 15 * MINUTE_MS, maxKeys: MAX_KEYS };
const BY_BROWSER: FailureLimits = { limit: 10, windowMs: 15 * MINUTE_MS, maxKeys: MAX_KEYS };
/**
 * The limit of all unknown browsers together (NIST SP 800-63B section 5.2.2). At least ten networks are needed to use
 * it up.
 */
const BY_ACCOUNT: FailureLimits = { limit: 100, windowMs: 60 * MINUTE_MS, maxKeys: MAX_KEYS };

/**
 * An unknown browser has a budget for each account, a budget for all accounts, and a share of the account's budget. A
 * known browser of the account has only its own budget. Other browsers cannot use up this budget. A thief of the cookie
 * gets this budget and no more.
 */
export function createSignInThrottle(
  { limitFailures }: Pick<Counters, 'limitFailures'>,
  clock: () => number,
): SignInThrottle {
  const pairs = limitFailures('sign-in pair', BY_PAIR);
  const origins = limitFailures('sign-in origin', BY_ORIGIN);
  const browsers = limitFailures('sign-in browser', BY_BROWSER);
  const accounts = limitFailures('sign-in account', BY_ACCOUNT);

  /**
   * The budgets are used in this order: a refusal by one budget must not use up the next budget, which others share.
   */
  const budgetsOf = ({ account, origin, browser }: SignInGuess) =>
    browser === null
      ? [
          { limiter: origins, key: origin },
          { limiter: pairs, key: keyOf(account, origin) },
          { limiter: accounts, key: keyOf(account) },
        ]
      : [{ limiter: browsers, key: keyOf(account, browser) }];

  return {
    async begin(guess) {
      const now = clock();
      const acquired: (() => void)[] = [];
      for (const { limiter, key } of budgetsOf(guess)) {
        const waitMs = await limiter.acquire(key, now);
        if (waitMs > 0) {
          for (const release of acquired) release();
          throw tooManyTries(waitMs, guess);
        }
        acquired.push(() => limiter.release(key));
      }
    },
    succeed(guess) {
      const { account, origin, browser } = guess;
      for (const { limiter, key } of budgetsOf(guess)) limiter.release(key);
      if (browser === null) pairs.forget(keyOf(account, origin));
      else browsers.forget(keyOf(account, browser));
    },
    abandon(guess) {
      for (const { limiter, key } of budgetsOf(guess)) limiter.release(key);
    },
    forget({ account, origin }) {
      accounts.forget(keyOf(account));
      pairs.forget(keyOf(account, origin));
    },
  };
}

/** The text under which failures are counted: an IPv4 address, or an IPv6 /64, because one site has 2^64 addresses. */
export function originOf(ip: IpAddress): string {
  return ip.family === 6 ? networkOf(ip, 64).text : ip.text;
}

function tooManyTries(waitMs: number, { kind = 'password' }: SignInGuess): AccountError {
  const minutes = Math.ceil(waitMs / MINUTE_MS);
  const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`;
  return new AccountError(
    'too_many_attempts',
    kind === 'code'
      ? `Too many wrong codes. Wait ${wait}.`
      : `Too many wrong passwords. Wait ${wait}, or set a new password by mail.`,
    Math.ceil(waitMs / 1_000),
  );
}

/** A key of fixed size, whatever the length of the input. */
function keyOf(account: string, from = ''): string {
  return hash('sha256', JSON.stringify([account.toLowerCase(), from]), 'base64url');
}
