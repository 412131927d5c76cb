import type { AuditAct, AuditDetail } from '../storage/audit/audit-log.ts';
import type { RenewalOutcome } from '../storage/held-signups/held-signup-store.ts';
import type { EndMove } from '../storage/held-signups/review-store.ts';
import type { ActRecords, Storage } from '../storage/storage.ts';
import { createCode } from '../web/tokens.ts';
import { decodeHeldSignup, type HeldSignup } from './held-signup.ts';
import { CODE_LIFETIME_MS } from './mails/verification-mails.ts';
import type { ReplayOutcome } from './replay.ts';
import { RESEND_WAIT_MS } from './status-page.ts';
import { mailBudgetsOf, type VerifyRequestDependencies } from './verify-step.ts';

/** The user of the staff who acts. */
export interface Reviewer {
  readonly accountId: string;
  readonly name: string;
}

export interface ReviewedReplay {
  readonly outcome: ReplayOutcome;
  /** The status of the app's answer; null without an answer. */
  readonly status: number | null;
}

export type LetIn =
  | { readonly kind: 'sent'; readonly outcome: 'answered' | 'unanswered'; readonly status: number | null }
  /** The app received no byte, and the signup is unchanged. */
  | { readonly kind: 'unreachable' }
  /** Sealed with a secret that this node does not have, or damaged. The signup is unchanged. */
  | { readonly kind: 'unreadable' }
  /** Claimed, dropped or expired in the meantime. */
  | { readonly kind: 'closed' };

export type MailedAgain =
  | { readonly kind: 'mailed' }
  | Exclude<RenewalOutcome, { readonly kind: 'renewed' }>
  | { readonly kind: 'unreadable' };

/** The actions of the staff on one held or refused signup. Each action and its audit entry are one transaction. */
export interface Review {
  /** Sends the original request to the app, once. */
  letIn(requestId: string, by: Reviewer): Promise<LetIn>;
  /** Sends a mail with a new code. The staff may send some more mails than the sender, within the same budgets. */
  mailAgain(held: Mailable, by: Reviewer): Promise<MailedAgain>;
  /**
   * Adds the time of `verification.ttl`, up to a day after the signup. Null when the signup no longer waits, or already
   * has this time.
   */
  extend(held: Extendable, by: Reviewer): Promise<{ readonly from: number; readonly to: number } | null>;
  /** Undoes `extend`. False when the signup no longer waits, or expires at another time. */
  shorten(move: Omit<EndMove, 'now'>, by: Reviewer): Promise<boolean>;
  /** False when the signup was claimed or dropped, or has expired. */
  refuse(requestId: string, by: Reviewer): Promise<boolean>;
  /** Undoes `refuse`. */
  restore(requestId: string, by: Reviewer): Promise<boolean>;
}

interface Mailable {
  readonly requestId: string;
  readonly decisionId: string;
  readonly keyId: string;
  readonly expiresAt: number;
}

interface Extendable {
  readonly requestId: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

export interface ReviewDependencies extends Omit<VerifyRequestDependencies, 'heldSignups' | 'settled'> {
  readonly records: Pick<Storage, 'act' | 'reviews'>;
  /** Sends a held signup to the app, with `reviewed` in its assertion. Never rejects. */
  readonly replay: (held: HeldSignup) => Promise<ReviewedReplay>;
}

const DAY_MS = 86_400_000;
/** For a sender who has used all mails and asks for help. */
const FURTHER_MAILS = 2;

export function createReview(dependencies: ReviewDependencies): Review {
  const { settings, records, sealer, mails, replay, metrics, clock, log } = dependencies;
  const { act } = records;

  function note(
    { audit }: ActRecords,
    by: Reviewer,
    entry: { readonly act: AuditAct; readonly subject: string; readonly detail?: AuditDetail },
  ): Promise<void> {
    const { detail = {}, ...rest } = entry;
    return audit.record({
      at: clock(),
      actorId: by.accountId,
      actorName: by.name,
      ...rest,
      detail,
    });
  }

  return {
    async letIn(requestId, by) {
      const claimed = await act(async (on) => {
        const review = { requestId, actorId: by.accountId, now: clock() };
        const claim = await on.reviews.claimForReview(review);
        if (claim) {
          await note(on, by, {
            act: 'signup.let_in',
            subject: claim.decisionId,
            detail: { was: claim.was },
          });
        }
        return claim;
      });
      if (!claimed) return { kind: 'closed' };
      const bytes = sealer.open(claimed.signup);
      const { outcome, status } = bytes
        ? await replay(decodeHeldSignup(bytes))
        : ({ outcome: 'unreadable', status: null } as const);
      log.info({ request_id: requestId, app: outcome, status }, 'the staff accepted a signup');
      if (outcome === 'answered' || outcome === 'unanswered') {
        metrics.step('let_in');
        metrics.replayed(outcome);
        await records.reviews.finishReview({ requestId, result: outcome, status });
        return { kind: 'sent', outcome, status };
      }
      if (outcome === 'unreadable') log.error({ request_id: requestId }, 'a held signup cannot be read');
      else metrics.replayed(outcome);
      await act(async (on) => {
        await on.reviews.undoReviewClaim({ requestId, was: claimed.was });
        await note(on, by, {
          act: 'signup.let_in_failed',
          subject: claimed.decisionId,
          detail: { because: outcome },
        });
      });
      return { kind: outcome };
    },

    async mailAgain({ requestId, decisionId, keyId, expiresAt }, by) {
      const { verification, publicUrl, site } = settings();
      const now = clock();
      const code = createCode();
      const codeHash = sealer.codeHash(code, { requestId, keyId });
      if (codeHash === null || publicUrl === null) return { kind: 'unreadable' };
      const renewal = {
        requestId,
        now,
        codeHash,
        waitMs: RESEND_WAIT_MS,
        codeExpiresAt: Math.min(now + CODE_LIFETIME_MS, expiresAt),
        maxMails: verification.mails_per_signup + FURTHER_MAILS,
      };
      const outcome = await act(async (on) => {
        const renewed = await on.heldSignups.renewMail(renewal, mailBudgetsOf(verification));
        if (renewed.kind === 'renewed') {
          await note(on, by, { act: 'signup.mailed_again', subject: decisionId });
        }
        return renewed;
      });
      if (outcome.kind !== 'renewed') {
        if (outcome.kind === 'budget') metrics.mail('over_budget');
        return outcome;
      }
      const bytes = sealer.open(outcome.signup);
      if (!bytes) return { kind: 'unreadable' };
      mails.send({ held: decodeHeldSignup(bytes), code, mailedAt: now, expiresAt, publicUrl, site });
      return { kind: 'mailed' };
    },

    async extend({ requestId, createdAt, expiresAt: from }, by) {
      const to = Math.min(from + settings().verification.ttl, createdAt + DAY_MS);
      if (to <= from) return null;
      const moved = await act(async (on) => {
        const signup = await on.reviews.moveEnd({ requestId, from, to, now: clock() });
        if (signup) {
          const detail = { until: new Date(to).toISOString() };
          await note(on, by, { act: 'signup.extended', subject: signup.decisionId, detail });
        }
        return signup;
      });
      return moved && { from, to };
    },

    shorten: ({ requestId, from, to }, by) =>
      act(async (on) => {
        const signup = await on.reviews.moveEnd({ requestId, from: to, to: from, now: clock() });
        if (signup) {
          const detail = { until: new Date(from).toISOString() };
          await note(on, by, { act: 'signup.restored', subject: signup.decisionId, detail });
        }
        return signup !== null;
      }),

    async refuse(requestId, by) {
      const refused = await act(async (on) => {
        const review = { requestId, actorId: by.accountId, now: clock() };
        const signup = await on.reviews.dismiss(review);
        if (signup) await note(on, by, { act: 'signup.refused', subject: signup.decisionId });
        return signup;
      });
      if (refused) metrics.step('dismissed');
      return refused !== null;
    },

    restore: (requestId, by) =>
      act(async (on) => {
        const signup = await on.reviews.restore(requestId, clock());
        if (signup) await note(on, by, { act: 'signup.restored', subject: signup.decisionId });
        return signup !== null;
      }),
  };
}
