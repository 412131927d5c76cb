import type { Generated } from 'kysely';
import type { Role } from './account-store.ts';

export interface AccountTables {
  accounts: AccountsTable;
  sessions: SessionsTable;
  account_tokens: AccountTokensTable;
  second_factors: SecondFactorsTable;
  second_factor_setups: SecondFactorSetupsTable;
  recovery_codes: RecoveryCodesTable;
  pending_sign_ins: PendingSignInsTable;
  passkeys: PasskeysTable;
  passkey_challenges: PasskeyChallengesTable;
}

export interface AccountsTable {
  id: string;
  /** Unique. */
  name: string;
  plan: string;
  created_at: number;
  /** The email of a user; unique. Null when the account has only API keys. */
  email: string | null;
  /** The hash, as `password-hash.ts` writes it. Null when the user has not chosen a password yet. */
  password: string | null;
  role: Generated<Role>;
  password_changed_at: number | null;
  last_signed_in_at: number | null;
  /** Null: two-factor is off. */
  two_factor_since: Generated<number | null>;
  /** The account of the inviting operator. Null when the command line invited, or without an invitation. */
  invited_by: Generated<string | null>;
}

/** Signed-in browsers. */
export interface SessionsTable {
  /** SHA-256 of the cookie's token, hex. */
  id: string;
  account_id: string;
  created_at: number;
  last_seen_at: number;
  /** Grows while the session is used. */
  expires_at: number;
  browser: string;
  network: string;
  /** 1 when the user signed in with a passkey. */
  by_passkey: Generated<number>;
}

/** Links that work once: using one deletes its row. */
export interface AccountTokensTable {
  /** SHA-256 of the link's token, hex. */
  id: string;
  kind: 'set-up' | 'registration' | 'password-reset' | 'email-change';
  account_id: string | null;
  email: string | null;
  created_at: number;
  expires_at: number;
}

export interface SecondFactorsTable {
  account_id: string;
  sealed_secret: string;
  /** The time step of the last accepted code. Codes of this step and of earlier steps are used up. */
  last_step: number;
  /** Wrong codes since `failures_since`, from browsers that never signed in to the account. */
  failures_unknown: Generated<number>;
  failures_known: Generated<number>;
  failures_since: Generated<number>;
}

/** Secrets that are shown in one session and not active yet. */
export interface SecondFactorSetupsTable {
  account_id: string;
  session_id: string;
  sealed_secret: string;
  expires_at: number;
}

/** Using a code deletes its row. */
export interface RecoveryCodesTable {
  account_id: string;
  sha256: string;
}

/** Browsers that sent the right password and must still pass the second step. */
export interface PendingSignInsTable {
  /** SHA-256 of the cookie's token, hex. */
  id: string;
  account_id: string;
  /** The time at which the password was compared. */
  password_changed_at: number | null;
  created_at: number;
  expires_at: number;
}

export interface PasskeysTable {
  /** The credential id, base64url. */
  id: string;
  account_id: string;
  public_key: string;
  counter: number;
  /** A JSON array. */
  transports: string;
  name: string;
  created_at: number;
  last_used_at: number | null;
}

/** Using a challenge deletes its row. */
export interface PasskeyChallengesTable {
  /** SHA-256 of the challenge, hex. */
  id: string;
  /** Null for a challenge of an earlier version, for signing in. */
  session_id: string | null;
  expires_at: number;
}
