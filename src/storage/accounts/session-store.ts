import type { Account } from './account-store.ts';

/** Signed-in browsers. Each request looks its session up, so that ending one takes effect at once in every process. */
export interface SessionStore {
  /**
   * Also stores the sign-in time in the account. An account has at most 50 sessions: a new one ends the one unused for
   * longest.
   * @param passwordChangedAt As the account had it when the password was compared. Returns null when the password has
   * changed since: a password change ends all sessions, and this session must not escape it.
   * @param twoFactorSince In the same way: of two-factor as it was when the sign-in was checked. Left out: off.
   */
  create(
    session: NewSession,
    passwordChangedAt: number | null,
    twoFactorSince?: number | null,
  ): Promise<Session | null>;
  /** The session with its account; also notes that it was seen. Null: ended, unused for 7 days or 30 days old. */
  find(id: string): Promise<{ readonly session: Session; readonly account: Account } | null>;
  /** Of an account, the last seen first. */
  list(accountId: string): Promise<readonly Session[]>;
  /** The user of this session has proved a passkey since. */
  markByPasskey(id: string): Promise<void>;
  /** False where the account has no such session. */
  end(id: string, accountId: string): Promise<boolean>;
  /** Ends all of an account but `keep`. Returns how many. */
  endAll(accountId: string, keep: string | null): Promise<number>;
  /**
   * Deletes expired sessions, mailed links and waiting sign-ins, in bounded steps. Returns how many.
   *
   * @param now Left out: by this node's clock.
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
  /** Left out: signed in by the password. */
  readonly byPasskey?: boolean;
}

export interface Session extends NewSession {
  readonly byPasskey: boolean;
  readonly createdAt: number;
  /** To the minute. */
  readonly lastSeenAt: number;
  readonly expiresAt: number;
}
