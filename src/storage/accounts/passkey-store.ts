import type { Account } from './account-store.ts';

/** Passkeys of users (WebAuthn credentials), and the challenges for new ones. */
export interface PasskeyStore {
  /**
   * Stores a challenge for a new passkey of a session. A session has at most five challenges: a new one replaces the
   * oldest.
   */
  createChallenge(challenge: NewChallenge): Promise<void>;
  /** Uses up a challenge. True only once, and only for the session of the challenge. */
  useChallenge(id: string, sessionId: string): Promise<boolean>;
  /** False when the account has ten passkeys, or the passkey is already stored. */
  add(passkey: NewPasskey): Promise<boolean>;
  find(id: string): Promise<{ readonly passkey: Passkey; readonly account: Account } | null>;
  /** The passkeys of an account, the oldest first. */
  list(accountId: string): Promise<readonly Passkey[]>;
  /**
   * Records a sign-in. False when the passkey was removed, when its counter is no longer `before`, or when it signed in
   * after `challengeAt`. So each challenge works only once on all nodes, and challenges need not be stored.
   */
  markUsed(id: string, use: PasskeyUse): Promise<boolean>;
  /** The removed passkey; null when the account has no such passkey. */
  remove(id: string, accountId: string): Promise<Passkey | null>;
  /** Returns how many. */
  removeAll(accountId: string): Promise<number>;
}

export interface NewChallenge {
  /** SHA-256 of the challenge, hex. */
  readonly id: string;
  /** Of the user who adds a passkey. */
  readonly sessionId: string;
  readonly lifetimeMs: number;
}

export interface PasskeyUse {
  /** The counter of signatures. */
  readonly before: number;
  readonly after: number;
  /** When the challenge was issued. */
  readonly challengeAt: number;
  /** A stored use that is further in the future than this comes from a wrong clock. */
  readonly lifetimeMs: number;
}

export interface NewPasskey {
  /** The credential id, base64url. */
  readonly id: string;
  readonly accountId: string;
  /** COSE, base64url. */
  readonly publicKey: string;
  /** The counter of signatures. 0 when the authenticator does not count. */
  readonly counter: number;
  /** How browsers reach the authenticator: `internal`, `usb` and others. */
  readonly transports: readonly string[];
  /** The name that the user gave it. */
  readonly name: string;
}

export interface Passkey extends NewPasskey {
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

export const MAX_PASSKEYS = 10;
