import type { Account } from './account-store.ts';

/** Passkeys of users (WebAuthn credentials), and the challenges that browsers sign with them. */
export interface PasskeyStore {
  /** The oldest challenges give way when there are many. */
  createChallenge(challenge: NewChallenge): Promise<void>;
  /** True once, and only for the session that it was made for. */
  useChallenge(id: string, sessionId: string | null): Promise<boolean>;
  /** False where the account has ten passkeys, or the passkey is stored already. */
  add(passkey: NewPasskey): Promise<boolean>;
  find(id: string): Promise<{ readonly passkey: Passkey; readonly account: Account } | null>;
  /** Of an account, the oldest first. */
  list(accountId: string): Promise<readonly Passkey[]>;
  /** Notes a sign-in. False when the passkey was removed, or its counter is no longer `before`. */
  markUsed(id: string, counter: { readonly before: number; readonly after: number }): Promise<boolean>;
  /** The removed passkey; null where the account has no such passkey. */
  remove(id: string, accountId: string): Promise<Passkey | null>;
  /** Returns how many. */
  removeAll(accountId: string): Promise<number>;
}

export interface NewChallenge {
  /** SHA-256 of the challenge, hex. */
  readonly id: string;
  /** Of the user who adds a passkey; null: for signing in. */
  readonly sessionId: string | null;
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
