import type { Generated } from 'kysely';
import type { HeldSignupTables } from './held-signups/held-signup-tables.ts';
import type { DecisionBound } from './retention/decision-bounds.ts';
import type { RollupTables } from './rollups/rollup-tables.ts';

/**
 * The tables as the newest migration leaves them. Times are milliseconds since the epoch, flags 0 or 1, both plain
 * integers, and structured values JSON text: all mean the same in SQLite and in PostgreSQL.
 */
export interface StorageSchema extends RollupTables, HeldSignupTables {
  schema_versions: SchemaVersionsTable;
  accounts: AccountsTable;
  api_keys: ApiKeysTable;
  usage_days: UsageDaysTable;
  decisions: DecisionsTable;
  answers: AnswersTable;
  policies: PoliciesTable;
  decision_trims: DecisionTrimsTable;
  list_entries: ListEntriesTable;
  list_state: ListStateTable;
  audit_log: AuditLogTable;
  sessions: SessionsTable;
  account_tokens: AccountTokensTable;
}

/** One row for each migration that has run. */
interface SchemaVersionsTable {
  version: number;
  name: string;
  applied_at: number;
}

export interface AccountsTable {
  id: string;
  /** Unique. */
  name: string;
  plan: string;
  created_at: number;
  /** Of somebody who may sign in; unique. Null: an account of keys alone. */
  email: string | null;
  /** As `password-hash.ts` of the dashboard writes it. Null: none chosen yet. */
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
  /** Moves on while the session is used. */
  expires_at: number;
  browser: string;
  network: string;
}

/** Links that work once; the row goes when they do. */
export interface AccountTokensTable {
  /** SHA-256 of the link's token, hex. */
  id: string;
  kind: 'set-up' | 'registration' | 'password-reset' | 'email-change';
  account_id: string | null;
  email: string | null;
  created_at: number;
  expires_at: number;
}

export interface ApiKeysTable {
  id: string;
  account_id: string;
  name: string;
  /** Lower-case hex, unique. The key itself is stored nowhere. */
  sha256: string;
  last_four: string;
  test: number;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
}

/**
 * What an account used with one key on one UTC day. Its month and its days are sums of these, so that no two figures
 * disagree.
 */
interface UsageDaysTable {
  account_id: string;
  /** `2026-11-21`. */
  day: string;
  /** Empty for what was counted before keys were told apart. */
  key_id: string;
  used: number;
}

export interface DecisionsTable {
  /** In the order of writing. */
  id: Generated<number>;
  /** Unique. */
  request_id: string;
  processed_at: number;
  door: string;
  account_id: string | null;
  key_id: string | null;
  test: number;
  scope: string;
  route: string | null;
  trust_score: number;
  risk_level: string;
  action: string | null;
  mode: string | null;
  degraded: number;
  mailbox: string | null;
  spelling: string | null;
  domain: string | null;
  network: string;
  template: string | null;
  user_agent: string | null;
  /** Every reason code of it, each between two spaces: ` corporate_email tor_ip `. */
  codes: string;
  policy_revision: string;
  data_revision: string;
  /** JSON: the pseudonyms that have no column. */
  identity: string;
  /** JSON: examinations, lists, timing, and the plain values where they are kept. */
  detail: string;
  outcome: string | null;
  label: string | null;
  /** Attempts that were folded into this one, itself not counted; see `repeated-decisions.ts`. */
  repeats: Generated<number>;
  /** Of the last repeat. */
  last_seen_at: number | null;
}

/** Idempotent answers, kept for a day. */
interface AnswersTable {
  id: Generated<number>;
  /** Unique together with the idempotency key. */
  account_id: string;
  idempotency_key: string;
  body_sha256: string;
  body: string;
  request_id: string;
  created_at: number;
  /** Pseudonym of the mailbox that was asked about. */
  mailbox: string | null;
}

/** Decisions that were deleted for a bound; see `trim-decisions.ts`. */
interface DecisionTrimsTable {
  bound: DecisionBound;
  since: number;
  last_at: number;
  deleted: number;
}

interface PoliciesTable {
  revision: string;
  /** JSON. */
  policy: string;
}

/** Allow and deny entries made while Gatekeeper runs; see `list-entry-records.ts`. */
export interface ListEntriesTable {
  id: Generated<number>;
  /** Unique together with kind and value. */
  verdict: 'allow' | 'deny';
  kind: 'mailbox' | 'domain' | 'network' | 'asn' | 'country';
  value: string;
  typed: string | null;
  note: string | null;
  author_id: string | null;
  author_name: string;
  created_at: number;
  expires_at: number | null;
  /** Kept for a day, so that other processes learn of it. */
  removed_at: number | null;
  revision: number;
}

/** One row. */
interface ListStateTable {
  id: number;
  revision: number;
  complete_from: number;
}

/** What administrators did. */
interface AuditLogTable {
  id: Generated<number>;
  at: number;
  actor_id: string | null;
  actor_name: string;
  act: string;
  subject: string;
  /** JSON. */
  detail: string;
}
