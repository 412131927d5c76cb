import type { ClaimableState } from './claims.ts';
import type { SealedSignup, SenderFacts } from './held-signup-store.ts';
import type { HeldState } from './held-signup-tables.ts';

/**
 * The actions of the staff on held and refused signups. The claim is the same step as for a sender who confirms. When
 * the sender and several users of the staff act at once, only one succeeds.
 */
export interface ReviewStore {
  /** Claims a signup to send it to the app. Null when it was claimed or dropped, or has expired in the meantime. */
  claimForReview(review: ReviewAct): Promise<ReviewClaim | null>;
  /** Records that the app has, or may have, the signup, and deletes the content. */
  finishReview(finished: FinishedReview): Promise<void>;
  /** Records that the app was never reached. The signup gets its state before the claim again. */
  undoReviewClaim(claim: Pick<ReviewClaim, 'was'> & { readonly requestId: string }): Promise<void>;
  /**
   * Refuses a signup. Its content stays until it expires, so that this can be undone. Null in the same cases as a
   * claim.
   */
  dismiss(review: ReviewAct): Promise<ReviewedSignup | null>;
  /** Undoes `dismiss`. Null when it was not dismissed, or has expired. */
  restore(requestId: string, now: number): Promise<ReviewedSignup | null>;
  /**
   * Moves the end of a waiting signup from one time to another. Null when it no longer waits, or expires at another
   * time.
   */
  moveEnd(move: EndMove): Promise<ReviewedSignup | null>;
  /** The newest held signup of a decision, and the last action of the staff on it; null when both are missing. */
  reviewOf(decisionId: string, now: number): Promise<SignupReview | null>;
  /** Signups that the staff can accept, those that expire soonest first. */
  reviewQueue(query: ReviewQueueQuery): Promise<readonly ReviewableSignup[]>;
  /** The last actions of the staff, newest first. */
  recentReviews(query: { readonly since: number; readonly limit: number }): Promise<readonly ReviewRecord[]>;
  /** Deletes actions from before that time, in bounded steps. */
  deleteReviewsBefore(time: number): Promise<number>;
}

export interface ReviewAct {
  readonly requestId: string;
  /** The account that acts; null when the actor has no account. */
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
  /** The status of the app's answer. */
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
  readonly mailState: 'queued' | 'sent' | 'failed';
}

export interface ReviewRecord extends ReviewedSignup {
  readonly requestId: string;
  readonly act: 'let_in' | 'refused';
  readonly was: ClaimableState;
  readonly actorId: string | null;
  readonly reviewedAt: number;
  /** The result for an accepted signup; null when it is not known yet, or when the process ended before it knew. */
  readonly result: 'answered' | 'unanswered' | null;
  readonly status: number | null;
}

export interface SignupReview {
  /** Null when it has expired. */
  readonly signup: ReviewableSignup | null;
  readonly record: ReviewRecord | null;
}
