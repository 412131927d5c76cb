import type { HeldSignupStatus } from '../storage/held-signups/held-signup-store.ts';
import { tokenSha256 } from '../web/tokens.ts';
import { answerMessage } from './answer-message.ts';
import type { VerifyRequestDependencies, VerifyStep } from './verify-step.ts';

/** Answers a request that came too late: another request has just locked, confirmed or dropped the signup. */
export async function answerEnded(
  step: VerifyStep,
  { heldSignups }: Pick<VerifyRequestDependencies, 'heldSignups'>,
): Promise<void> {
  const signup = await heldSignups.find(tokenSha256(step.token), step.now);
  answerMessage(step, step.form.json, endOf(signup));
}

/** The message about a signup that no longer waits. */
export function endOf(signup: Pick<HeldSignupStatus, 'state'> | null): 'locked' | 'closed' {
  return signup?.state === 'locked' ? 'locked' : 'closed';
}
