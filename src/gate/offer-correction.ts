import { suggestedDomain } from '../assessment/suggested-domain.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Verification } from '../verification/verification.ts';
import { prefersHtml } from '../web/prefers-html.ts';
import type { DecidedSignup } from './decided-signup.ts';
import type { GatedRequest } from './gated-request.ts';
import { signupToHold } from './hold.ts';
import { builtInBlockPage } from './pages/block-page.ts';
import type { CorrectionOffer } from './pages/plain-page.ts';

/** Null when the refusal has no button. */
export type OfferCorrection = (
  gated: GatedRequest,
  decided: DecidedSignup,
) => Promise<CorrectionOffer | null>;

/**
 * Keeps a refused signup whose address probably has a typing error, for the button on the block page. Never rejects,
 * since a refusal does not need the button.
 */
export function createOfferCorrection({
  verification,
  log,
}: {
  readonly verification: Pick<Verification, 'hold'>;
  readonly log: Logger;
}): OfferCorrection {
  return async (gated, decided) => {
    const { email } = decided.signup;
    const { mailbox } = decided.decision.judgement.attempt.email;
    if (!mailbox || email === null) return null;
    try {
      const toHold = await signupToHold(gated, decided, { mailbox, email });
      const { suggestion } = toHold;
      if (suggestion === null) return null;
      const held = await verification.hold({ ...toHold, state: 'offered' });
      if (held.kind !== 'held') return null;
      return { url: new URL(held.url).pathname, suggestion, domain: mailbox.domain.ascii };
    } catch (error) {
      log.warn(
        { err: error, request_id: gated.requestId },
        'a refused signup could not be kept for a correction',
      );
      return null;
    }
  };
}

/**
 * Whether a refusal may have the button: a person gets the built-in page, and the domain looks misspelled. While the records
 * do not answer, a refusal does not wait for them.
 */
export function mayOfferCorrection(
  { request, settings }: GatedRequest,
  { decision, signup, degraded }: DecidedSignup,
): boolean {
  return (
    !degraded &&
    suggestedDomain(decision.judgement.examinations) !== null &&
    prefersHtml(request.headers) &&
    settings.blockPageOf(signup.route) === builtInBlockPage
  );
}
