import type { Generated } from 'kysely';

export interface AccountTables {
  accounts: AccountsTable;
  sessions: SessionsTable;
  account_tokens: AccountTokensTable;
}

export interface AccountsTable {
  id: string;
  /** Unique. */
  name: string;
  plan: string;
  created_at: number;
  /** Of a user; unique. Null: the account has API keys only. */
  email: string | null;
  /** As `password-hash.ts` writes it. Null: none chosen yet. */
  password: string | null;
  role: Generated<'operator' | 'member'>;
  password_changed_at: number | null;
  last_signed_in_at: number | null;
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
