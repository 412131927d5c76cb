import type { Account } from './account-store.ts';

/**
 * Signed-in browsers. Each request looks up its session, so the end of a session takes effect at once in every process.
 */
export interface SessionStore {
  /**
   * Also stores the sign-in time in the account. An account has at most 50 sessions: a new one ends the session that
   * was unused for the longest time.
   * @param passwordChangedAt The value of the account when the password was compared. Returns null when the password
   * has changed since: a password change ends all sessions, and this session must not escape it.
   * @param twoFactorSince The value of two-factor when the sign-in was checked, for the same reason. Left out: off.
   */
  create(
    session: NewSession,
    passwordChangedAt: number | null,
    twoFactorSince?: number | null,
  ): Promise<Session | null>;
  /**
   * The session with its account. This also records that the session was used. Null when it has ended, was unused for 7
   * days or is 30 days old.
   */
  find(id: string): Promise<{ readonly session: Session; readonly account: Account } | null>;
  /** The sessions of an account, the last used first. */
  list(accountId: string): Promise<readonly Session[]>;
  /** Records that the user of this session has confirmed with a passkey. */
  markByPasskey(id: string): Promise<void>;
  /** False when the account has no such session. */
  end(id: string, accountId: string): Promise<boolean>;
  /** Ends all sessions of an account except `keep`. Returns their number. */
  endAll(accountId: string, keep: string | null): Promise<number>;
  /**
   * Deletes expired sessions, mailed links and waiting sign-ins, in bounded steps. Returns their number.
   * @param now Left out: the time of this node's clock.
   */
  deleteExpired(now?: number): Promise<number>;
}

export interface NewSession {
  /** SHA-256 of the cookie's token, hex. */
  readonly id: string;
  readonly accountId: string;
  /** Shown to the user: `Firefox on Linux`. */
  readonly browser: string;
  /** Truncated: `203.0.113.0/24`. */
  readonly network: string;
  /** Left out: the user signed in with the password. */
  readonly byPasskey?: boolean;
}

export interface Session extends NewSession {
  readonly byPasskey: boolean;
  readonly createdAt: number;
  /** To the minute. */
  readonly lastSeenAt: number;
  readonly expiresAt: number;
}
