import type { Generated } from 'kysely';

export interface HeldSignupTables {
  held_signups: HeldSignupsTable;
  folded_held_signups: FoldedHeldSignupsTable;
  suggested_addresses: SuggestedAddressesTable;
  corrected_decisions: CorrectedDecisionsTable;
  signup_reviews: SignupReviewsTable;
  verification_mails: VerificationMailsTable;
}

export type HeldState =
  | 'waiting'
  | 'offered'
  | 'refused'
  | 'claimed'
  | 'done'
  | 'locked'
  | 'reported'
  | 'dismissed';

/** See `held-signup-store.ts`. */
export interface HeldSignupsTable {
  /** The id of the signup's request. */
  request_id: string;
  /** SHA-256 of the token in the page's URL, and of the one in the mail's link. Both unique. */
  page_token: string;
  link_token: string;
  /** Pseudonym of the canonical mailbox, by which a verified one passes again. */
  mailbox: string;
  /** The pseudonym under which the mail budgets count its mails. */
  mail_mailbox: string;
  mail_origin: string;
  /** Of the mailbox, plain: shown to the sender, who may have misspelled it. */
  domain: string;
  /** /24 or /48, plain; empty for signups from before it was stored. The sender's share is counted by it. */
  network: string;
  /** /24, or the pseudonym of the /64, from which a later signup may pass. Empty when no signup may pass. */
  pass_network: string;
  /** Pseudonym; empty without a user agent. */
  user_agent: string;
  /**
   * SHA-256 of the token that the confirming browser received; null when a program confirmed, or before the
   * confirmation.
   */
  pass_token: string | null;
  /** Words of fixed lists for the owner of the mailbox; null when not known. */
  browser: string | null;
  system: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string | null;
  created_at: number;
  expires_at: number;
  /**
   * `offered`: refused as typed, and can only be corrected. `refused`: kept for the review desk. `dismissed`: the staff
   * refused it, which can be undone.
   */
  state: HeldState;
  verified_at: number | null;
  /** 1 once this verification has let a later signup pass. */
  passed: number;
  /** Keyed hash of the six digits in the last mail. */
  code: string;
  code_expires_at: number;
  tries: number;
  mails: number;
  mailed_at: number;
  mail_state: 'queued' | 'sent' | 'failed';
  key_id: string;
  /** Characters in `sealed`. */
  size: number;
  /** Base64 of the encrypted request; empty when it is no longer needed. */
  sealed: string;
}

/** The last action of the staff on a held or refused signup. */
interface SignupReviewsTable {
  /** Of the held signup. */
  request_id: string;
  /** The request id of its decision. */
  decision_id: string;
  act: 'let_in' | 'refused';
  /** The state before the action. */
  was: 'waiting' | 'offered' | 'refused';
  /** The acting account. */
  actor_id: string | null;
  reviewed_at: number;
  /** The result for an accepted signup; null when the process ended before it knew the result. */
  result: 'answered' | 'unanswered' | null;
  /** The status of the app's answer. */
  status: number | null;
}

/** Every mail of the last hour, for the budgets. */
interface VerificationMailsTable {
  id: Generated<number>;
  sent_at: number;
  mailbox: string;
  origin: string;
}

/** Held signups whose decision repeats an earlier one and has no own row. */
interface FoldedHeldSignupsTable {
  request_id: string;
  /** The request id of that earlier decision. */
  kept_as: string;
}

/** Suggestions for held signups with a probable typing error in the email address. */
interface SuggestedAddressesTable {
  request_id: string;
  /** Base64 of the encrypted suggested email address. */
  sealed: string;
}

/** Decisions on signups whose sender accepted a suggested address. */
interface CorrectedDecisionsTable {
  /** The request id of the decision on the corrected signup. */
  request_id: string;
  /** The request id of the decision on the signup as it was typed. */
  corrects: string;
  corrected_at: number;
}
