import type { Claim, ClaimableState, ClaimMark, CodeAttempt, CorrectionClaim } from './claims.ts';
import type { HeldState } from './held-signup-tables.ts';
import type { BudgetKeys, MailBudgets } from './mail-budgets.ts';

/**
 * Signups that wait for their sender to verify. Each step is one transaction or one conditional UPDATE, so it happens
 * only once even if several processes try it, and survives the end of the process.
 *
 * States: `waiting` → `claimed` (verified, on its way to the app) → `done`; or `waiting` → `locked` or `reported`. The
 * staff may claim a waiting or refused signup too, or make it `dismissed` and back. When the app was never reached, `claimed`
 * goes back to the state before. When a process dies in between, the state stays
 * `claimed`: the app may have the request, and must never receive it twice.
 */
export interface HeldSignupStore {
  /**
   * Stores a signup and counts its first mail, or returns the reason against it. Budgets are checked first, then the
   * limits.
   */
  hold(signup: NewHeldSignup, bounds: HoldBounds): Promise<HoldOutcome>;
  /** Deletes a signup whose sender received an error, with its mail in the budgets. */
  takeBack(signup: NewHeldSignup): Promise<void>;
  /** Finds a signup by the SHA-256 of one of its two tokens. Null for an unknown or expired token. */
  find(tokenSha256: string, now: number): Promise<HeldSignupStatus | null>;
  /** Compares the code's keyed hash. The right code claims the signup; wrong ones are counted, and too many lock it. */
  tryCode(attempt: CodeAttempt): Promise<CodeOutcome>;
  /** Claims a waiting signup after a click on its link. Null when it is no longer waiting. */
  claim(claim: Claim): Promise<SealedSignup | null>;
  /**
   * The mailbox's owner reports that the signup is not theirs: it is dropped, and its decision is labelled as fraud
   * unless it has a label. False when it is no longer waiting.
   */
  report(requestId: string, now: number): Promise<boolean>;
  /**
   * Claims a waiting or offered signup whose sender accepts the suggested address. It does not count as verified. Null
   * when it is no longer waiting or offered.
   */
  claimToCorrect(claim: CorrectionClaim): Promise<SealedSignup | null>;
  /** Records that the corrected signup has a decision under its own request id, and deletes the content. */
  finishCorrected(corrected: CorrectedSignup): Promise<void>;
  /** The request ids of the decisions before and after an accepted suggestion; null without such a suggestion. */
  correctionsOf(requestId: string): Promise<Corrections>;
  /** Records that the app has, or may have, the request, and deletes the content. */
  finish(requestId: string): Promise<void>;
  /**
   * Records that the app was never reached. The signup gets its state before the claim again, until it expires. Changes
   * nothing when that claim was not stored, or is released already.
   */
  release(claim: ClaimMark, to: ClaimableState): Promise<void>;
  /** Replaces the code and counts the mail, or returns the reason against it. */
  renewMail(renewal: MailRenewal, budgets: MailBudgets): Promise<RenewalOutcome>;
  /** Stores whether the mail counted at `mailedAt` was sent. The code's time starts with the mail: `codeExpiresAt`. */
  markMail(mail: MailResult): Promise<void>;
  /** At most `limit` mails that are still queued: not sent and not failed. */
  queuedMails(limit: number): Promise<readonly QueuedMail[]>;
  /**
   * Records that the process that sends this mail still tries. False when it is no longer the last mail, or no longer
   * needed.
   */
  keepMail(mail: MailRef, now: number): Promise<boolean>;
  /**
   * Replaces the code of a mail whose process has died. It is the same mail and counts against no budget. Null when it
   * is no longer queued, or when another process has just kept it or taken it over.
   */
  takeOverMail(mail: MailRef, renewed: RenewedCode): Promise<SealedSignup | null>;
  /** Whether the same sender verified the mailbox at or after `since`. Each verification returns true once. */
  takePass(pass: PassRequest): Promise<boolean>;
  /** Returns the number of signups that expired unverified. */
  deleteExpired(times: ExpiryTimes): Promise<number>;
}

export interface NewHeldSignup {
  readonly requestId: string;
  /** The request id of the earlier decision that its own repeats; by default, its own. */
  readonly decisionId?: string;
  readonly pageTokenSha256: string;
  readonly linkTokenSha256: string;
  readonly mailbox: string;
  readonly budgetKeys: BudgetKeys;
  readonly domain: string;
  /** /24 or /48. */
  readonly network: string;
  /** The network from which a later signup may pass: narrower than `network` for IPv6. */
  readonly passNetwork: string;
  /** Pseudonym; empty without a user agent. */
  readonly userAgent: string;
  readonly sender: SenderFacts;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly codeHash: string;
  readonly codeExpiresAt: number;
  readonly keyId: string;
  /** The suggested email address, encrypted, in base64. Left out: no suggestion. */
  readonly sealedSuggestion?: string | null;
  /**
   * `offered`: refused as typed, and can only be corrected. `refused`: kept for the review desk. Both have no mail, and
   * a refused signup counts against no mail budget. Left out: it waits for its code.
   */
  readonly state?: 'waiting' | 'offered' | 'refused';
  /** The number of characters that `seal` returns. */
  readonly size: number;
  /** Base64. Called after the limits are checked: sealing a large signup takes milliseconds. */
  seal(): string;
}

/** The facts about the sender for the owner of the mailbox, in words of fixed lists. Null when unknown. */
export interface SenderFacts {
  readonly browser: string | null;
  readonly system: string | null;
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null;
}

export interface HoldBounds {
  readonly maxHeld: number;
  /** Bytes of base64 in all. */
  readonly maxHeldBytes: number;
  readonly budgets: MailBudgets;
}

export type HoldOutcome =
  | { readonly held: true }
  /** The limit that is reached: for all held signups, for its sender's share, or for the size of one signup. */
  | { readonly held: false; readonly because: 'full'; readonly of: 'all' | 'sender' | 'signup' }
  | { readonly held: false; readonly because: 'budget'; readonly retryAfterMs: number };

export interface HeldSignupStatus {
  readonly requestId: string;
  /** Which of the two tokens was used. */
  readonly by: 'page' | 'link';
  readonly state: HeldState;
  readonly domain: string;
  readonly sender: SenderFacts;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly codeExpiresAt: number;
  readonly keyId: string;
  /** The suggested email address, encrypted, in base64; null without a suggestion. */
  readonly sealedSuggestion: string | null;
  readonly tries: number;
  readonly mails: number;
  readonly mailedAt: number;
  readonly mailState: 'queued' | 'sent' | 'failed';
}

export interface CorrectedSignup {
  readonly requestId: string;
  /** The request id of the decision on the corrected signup. */
  readonly correctedAs: string;
  readonly now: number;
}

export interface Corrections {
  /** The decision on the signup as it was typed. */
  readonly corrects: string | null;
  /** The decision on the corrected signup. */
  readonly correctedAs: string | null;
}

/** A signup that passes if its sender has just verified the mailbox. */
export interface PassRequest {
  readonly mailbox: string;
  readonly network: string;
  /** Pseudonym; empty without a user agent. */
  readonly userAgent: string;
  /** SHA-256 of each token in the request. */
  readonly tokens: readonly string[];
  readonly since: number;
}

export type CodeOutcome =
  | { readonly kind: 'claimed'; readonly signup: SealedSignup }
  | { readonly kind: 'wrong'; readonly triesLeft: number }
  | { readonly kind: 'locked' }
  /** Claimed, done, locked or expired in the meantime. */
  | { readonly kind: 'closed' };

export interface SealedSignup {
  readonly requestId: string;
  readonly keyId: string;
  readonly sealed: string;
}

export interface MailRenewal {
  readonly requestId: string;
  readonly now: number;
  readonly maxMails: number;
  /** The time between two mails, unless the last one failed. */
  readonly waitMs: number;
  readonly codeHash: string;
  readonly codeExpiresAt: number;
}

export type RenewalOutcome =
  | { readonly kind: 'renewed'; readonly signup: SealedSignup }
  | { readonly kind: 'too-soon'; readonly retryAfterMs: number }
  | { readonly kind: 'budget'; readonly retryAfterMs: number }
  | { readonly kind: 'no-more' }
  | { readonly kind: 'closed' };

export interface MailRef {
  readonly requestId: string;
  /** The time at which it was counted, last kept, or taken over. It identifies the mail. */
  readonly mailedAt: number;
}

export interface QueuedMail extends MailRef {
  readonly keyId: string;
  readonly expiresAt: number;
}

export interface RenewedCode {
  readonly now: number;
  readonly codeHash: string;
  readonly codeExpiresAt: number;
}

export interface MailResult {
  readonly requestId: string;
  readonly mailedAt: number;
  readonly state: 'sent' | 'failed';
  readonly codeExpiresAt: number;
}

export interface ExpiryTimes {
  readonly now: number;
  /** A signup that was verified before this time cannot let a later one pass. */
  readonly passesSince: number;
}
