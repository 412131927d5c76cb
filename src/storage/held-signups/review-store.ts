import type { ClaimableState, SealedSignup, SenderFacts } from './held-signup-store.ts';
import type { HeldState } from './held-signup-tables.ts';

/**
 * What the staff of a site does with held and refused signups. A claim is the same step as that of the sender who
 * confirms: of both, and of several members of the staff, one succeeds.
 */
export interface ReviewStore {
  /** Claims a signup to send it to the app. Null: it was claimed, dropped or expired in the meantime. */
  claimForReview(review: ReviewAct): Promise<ReviewClaim | null>;
  /** The app has the signup, or may have it. The content is deleted. */
  finishReview(finished: FinishedReview): Promise<void>;
  /** The app was never reached: the signup is what it was before the claim. */
  undoReviewClaim(claim: Pick<ReviewClaim, 'was'> & { readonly requestId: string }): Promise<void>;
  /** Refuses a signup. Its content stays until it expires, so that this can be undone. Null as for a claim. */
  dismiss(review: ReviewAct): Promise<ReviewedSignup | null>;
  /** Undoes `dismiss`. Null: it was not dismissed, or has expired. */
  restore(requestId: string, now: number): Promise<ReviewedSignup | null>;
  /** Moves the end of a waiting signup from one time to another. Null: it no longer waits, or ends at another time. */
  moveEnd(move: EndMove): Promise<ReviewedSignup | null>;
  /** The newest held signup of a decision, and the last act of the staff on it; null: there is neither. */
  reviewOf(decisionId: string, now: number): Promise<SignupReview | null>;
  /** Signups that can be let in, those that end soonest first. */
  reviewQueue(query: ReviewQueueQuery): Promise<readonly ReviewableSignup[]>;
  /** The last acts of the staff, newest first. */
  recentReviews(query: { readonly since: number; readonly limit: number }): Promise<readonly ReviewRecord[]>;
  /** Deletes acts from before that time, in bounded steps. */
  deleteReviewsBefore(time: number): Promise<number>;
}

export interface ReviewAct {
  readonly requestId: string;
  /** The account that acts; null: it has none. */
  readonly actorId: string | null;
  readonly now: number;
}

export interface ReviewedSignup {
  /** The request id of the decision. */
  readonly decisionId: string;
}

export interface ReviewClaim extends ReviewedSignup {
  readonly signup: SealedSignup;
  readonly was: ClaimableState;
}

export interface FinishedReview {
  readonly requestId: string;
  readonly result: 'answered' | 'unanswered';
  /** Of the app's answer. */
  readonly status: number | null;
}

export interface EndMove {
  readonly requestId: string;
  readonly from: number;
  readonly to: number;
  readonly now: number;
}

export interface ReviewQueueQuery {
  readonly state: 'waiting' | 'refused';
  readonly now: number;
  readonly limit: number;
}

/** A held or refused signup, without its content. */
export interface ReviewableSignup extends ReviewedSignup {
  readonly requestId: string;
  readonly state: HeldState;
  readonly domain: string;
  readonly network: string;
  readonly sender: SenderFacts;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly keyId: string;
  readonly mails: number;
  readonly mailedAt: number;
  readonly mailState: 'queued' | 'sent' | 'failed';
}

export interface ReviewRecord extends ReviewedSignup {
  readonly requestId: string;
  readonly act: 'let_in' | 'refused';
  readonly was: ClaimableState;
  readonly actorId: string | null;
  readonly reviewedAt: number;
  /** Of a signup that was let in; null: not known yet, or the process ended before it knew. */
  readonly result: 'answered' | 'unanswered' | null;
  readonly status: number | null;
}

export interface SignupReview {
  /** Null: it has expired. */
  readonly signup: ReviewableSignup | null;
  readonly record: ReviewRecord | null;
}
