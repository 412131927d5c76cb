import { parseMailbox } from '../addresses/email-address.ts';
import { suggestedDomain } from '../assessment/suggested-domain.ts';
import { ProblemError } from '../http/problem.ts';
import { correctSignup, type SignupMessage } from './corrected-body/correct-signup.ts';
import type { DecidedSignup } from './decided-signup.ts';
import type { GateSettings } from './settings.ts';

/**
 * The address that the sender probably meant: the local part as typed, at the provider that the domain resembles. Null
 * when the domain resembles no provider, or when the request cannot be corrected: then the page must not offer it.
 */
export async function suggestEmail(
  message: SignupMessage,
  { decision, signup: { email, otherEmails } }: Pick<DecidedSignup, 'decision' | 'signup'>,
  settings: Pick<GateSettings, 'matcher'>,
): Promise<string | null> {
  const domain = suggestedDomain(decision.judgement.examinations);
  // With several emails, the suggestion may belong to another email.
  if (domain === null || email === null || otherEmails.length > 0) return null;
  const corrected = `${email.slice(0, email.lastIndexOf('@'))}@${domain}`;
  if (parseMailbox(corrected)?.domain.ascii !== domain) return null;
  try {
    const isPossible = await correctSignup(message, { typed: email, corrected }, settings);
    return isPossible ? corrected : null;
  } catch (error) {
    if (error instanceof ProblemError) return null;
    throw error;
  }
}
