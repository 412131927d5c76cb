import type { Logger } from '../telemetry/logger.ts';
import type { Verification } from '../verification/verification.ts';
import type { DecidedSignup } from './decided-signup.ts';
import type { GatedRequest } from './gated-request.ts';
import { signupToHold } from './hold.ts';
import { mayOfferCorrection, type OfferCorrection } from './offer-correction.ts';

/**
 * Keeps a refused signup for the review desk. When the email address probably has a typing error, the page of the
 * signup can accept the suggested address, like that of an offer. Never rejects: the refusal does not depend on it.
 */
export function createKeepRefused(
  { verification, log }: { readonly verification: Pick<Verification, 'hold'>; readonly log: Logger },
  offerCorrection: OfferCorrection,
): OfferCorrection {
  return async (gated, decided) => {
    const { email } = decided.signup;
    const { mailbox } = decided.decision.judgement.attempt.email;
    if (!mailbox || email === null) return null;
    const mayOffer = mayOfferCorrection(gated, decided);
    try {
      const toHold = await signupToHold(gated, decided, { mailbox, email });
      const suggestion = mayOffer ? toHold.suggestion : null;
      const kept = await verification.hold({ ...toHold, suggestion, state: 'refused' });
      if (kept.kind === 'held') {
        if (suggestion === null) return null;
        return { url: new URL(kept.url).pathname, suggestion, domain: mailbox.domain.ascii };
      }
    } catch (error) {
      log.warn(
        { err: error, request_id: gated.requestId },
        'a refused signup could not be kept for a review',
      );
      return null;
    }
    return mayOffer ? offerCorrection(gated, decided) : null;
  };
}

/**
 * Whether a refused signup is kept. Requests with large files are not kept, and repeated refusals only when they have
 * their own decision. While the records do not answer, a refusal does not wait for them.
 */
export function mayKeepRefused(
  { requestId, settings }: GatedRequest,
  { decision, signup, body, degraded, decisionId }: DecidedSignup,
): boolean {
  return (
    settings.keepsRefused &&
    settings.publicUrl !== null &&
    !degraded &&
    decisionId === requestId &&
    signup.email !== null &&
    decision.judgement.attempt.email.mailbox !== null &&
    Buffer.isBuffer(body)
  );
}
