import type { Generated } from 'kysely';
import type { DecisionBound } from '../retention/decision-bounds.ts';

export interface DecisionTables {
  decisions: DecisionsTable;
  answers: AnswersTable;
  policies: PoliciesTable;
  decision_trims: DecisionTrimsTable;
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
  wanted_action: string | null;
  /**
   * Null at the API, and in decisions from before this column: for those, `wanted_action` and `mode` give the action.
   */
  action: string | null;
  mode: string | null;
  degraded: number;
  mailbox: string | null;
  spelling: string | null;
  domain: string | null;
  network: string;
  template: string | null;
  user_agent: string | null;
  /** All its reason codes, each between two spaces: ` corporate_email tor_ip `. */
  codes: string;
  policy_revision: string;
  data_revision: string;
  /** JSON: the pseudonyms without a column. */
  identity: string;
  /** JSON: examinations, lists, timing, and the plain values when they are stored. */
  detail: string;
  outcome: string | null;
  label: string | null;
  /** The time of its last outcome or label; null without one. */
  concluded_at: number | null;
  /** The number of later attempts that this row represents; see `repeated-decisions.ts`. */
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
  /** Pseudonym of the mailbox in the request. */
  mailbox: string | null;
  /** `request_id`, once the answer was given to a repeated request. */
  replayed_id: string | null;
}

interface PoliciesTable {
  revision: string;
  /** JSON. */
  policy: string;
}

/** Decisions that were deleted for a bound; see `trim-decisions.ts`. */
interface DecisionTrimsTable {
  bound: DecisionBound;
  since: number;
  last_at: number;
  deleted: number;
}
