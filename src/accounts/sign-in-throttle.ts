import { hash } from 'node:crypto';
import { networkOf } from '../addresses/cidr.ts';
import type { IpAddress } from '../addresses/ip-address.ts';
import type { Counters } from '../counters/counters.ts';
import type { FailureLimits } from '../counters/failure-limiter.ts';
import { AccountError } from './account-error.ts';

/** One attempt at a password: at which account, from where. */
export interface PasswordGuess {
  /** The email as typed, whether it has an account or not: a refusal tells nothing of that. */
  readonly account: string;
  /** See `originOf`. */
  readonly origin: string;
  /** A browser that signed in to this account before, or a session of it. Null for a stranger. */
  readonly browser: string | null;
}

/** Bounds how many wrong passwords are tried. */
export interface SignInThrottle {
  /**
   * Before the password is looked at, so that tries at the same moment count too.
   *
   * @throws AccountError `too_many_attempts`
   */
  begin(guess: PasswordGuess): Promise<void>;
  /** The password was right. */
  succeed(guess: PasswordGuess): void;
  /** The password was not compared. */
  abandon(guess: PasswordGuess): void;
  /** The owner opened a link from their mailbox: what strangers tried no longer counts. */
  forget(owner: Omit<PasswordGuess, 'browser'>): void;
}

const MINUTE_MS = 60_000;
const MAX_KEYS = 50_000;
const BY_PAIR: FailureLimits = { limit: 10, windowMs: 15 * MINUTE_MS, maxKeys: MAX_KEYS };
const BY_ORIGIN: FailureLimits = { limit: 50, windowMs: 15 * MINUTE_MS, maxKeys: MAX_KEYS };
const BY_BROWSER: FailureLimits = { limit: 10, windowMs: 15 * MINUTE_MS, maxKeys: MAX_KEYS };
/** Of all strangers together, as NIST SP 800-63B section 5.2.2 bounds them: it takes ten networks to use that up. */
const BY_ACCOUNT: FailureLimits = { limit: 100, windowMs: 60 * MINUTE_MS, maxKeys: MAX_KEYS };

/**
 * A stranger has a budget for each account, one for all accounts, and a share of the account's own. None of them touches
 * a browser that is known to the account: that has a budget of its own, which no other browser can use up, and which is
 * all that a thief of its cookie gets.
 */
export function createSignInThrottle(
  { limitFailures }: Pick<Counters, 'limitFailures'>,
  clock: () => number,
): SignInThrottle {
  const pairs = limitFailures('sign-in pair', BY_PAIR);
  const origins = limitFailures('sign-in origin', BY_ORIGIN);
  const browsers = limitFailures('sign-in browser', BY_BROWSER);
  const accounts = limitFailures('sign-in account', BY_ACCOUNT);

  /** In the order of taking: a refusal by one must not use up the next, which others share. */
  const budgetsOf = ({ account, origin, browser }: PasswordGuess) =>
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
      const taken: (() => void)[] = [];
      for (const { limiter, key } of budgetsOf(guess)) {
        const waitMs = await limiter.take(key, now);
        if (waitMs > 0) {
          for (const giveBack of taken) giveBack();
          throw tooManyTries(waitMs);
        }
        taken.push(() => limiter.giveBack(key));
      }
    },
    succeed(guess) {
      const { account, origin, browser } = guess;
      for (const { limiter, key } of budgetsOf(guess)) limiter.giveBack(key);
      if (browser === null) pairs.forget(keyOf(account, origin));
      else browsers.forget(keyOf(account, browser));
    },
    abandon(guess) {
      for (const { limiter, key } of budgetsOf(guess)) limiter.giveBack(key);
    },
    forget({ account, origin }) {
      accounts.forget(keyOf(account));
      pairs.forget(keyOf(account, origin));
    },
  };
}

/** The address that failures count for: an IPv4 address, or an IPv6 /64, since one site has more than can be counted. */
export function originOf(ip: IpAddress): string {
  return ip.family === 6 ? networkOf(ip, 64).text : ip.text;
}

function tooManyTries(waitMs: number): AccountError {
  const minutes = Math.ceil(waitMs / MINUTE_MS);
  return new AccountError(
    'too_many_attempts',
    `There were too many tries. Wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`}, or set a new password by mail.`,
    Math.ceil(waitMs / 1_000),
  );
}

/** Of one size, whatever was typed. */
function keyOf(account: string, from = ''): string {
  return hash('sha256', JSON.stringify([account.toLowerCase(), from]), 'base64url');
}
