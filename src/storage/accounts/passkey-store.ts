import type { Account } from './account-store.ts';

/** Passkeys of users (WebAuthn credentials), and the challenges for new ones. */
export interface PasskeyStore {
  /** For a new passkey of a session. A session has five at most: a new one replaces the oldest. */
  createChallenge(challenge: NewChallenge): Promise<void>;
  /** True once, and only for the session that it was made for. */
  useChallenge(id: string, sessionId: string): Promise<boolean>;
  /** False where the account has ten passkeys, or the passkey is stored already. */
  add(passkey: NewPasskey): Promise<boolean>;
  find(id: string): Promise<{ readonly passkey: Passkey; readonly account: Account } | null>;
  /** Of an account, the oldest first. */
  list(accountId: string): Promise<readonly Passkey[]>;
  /**
   * Notes a sign-in. False when the passkey was removed, when its counter is no longer `before`, or when it signed in since
   * `challengeAt`: so each challenge works once, on all nodes, and none has to be stored.
   */
  markUsed(id: string, use: PasskeyUse): Promise<boolean>;
  /** The removed passkey; null where the account has no such passkey. */
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
  /** A stored use that lies further ahead than this is from a clock that was wrong. */
  readonly lifetimeMs: number;
}

export interface NewPasskey {
  /** The credential id, base64url. */
  readonly id: string;
  readonly accountId: string;
  /** COSE, base64url. */
  readonly publicKey: string;
  /** Of signatures. 0: the authenticator does not count. */
  readonly counter: number;
  /** How browsers reach the authenticator: `internal`, `usb` and others. */
  readonly transports: readonly string[];
  /** As the user named it. */
  readonly name: string;
}

export interface Passkey extends NewPasskey {
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

export const MAX_PASSKEYS = 10;
