import type { HeldSignupStatus } from '../storage/held-signups/held-signup-store.ts';
import type { Sealer } from './sealer.ts';

/** Encrypted separately: the page shows the suggestion and must not decrypt a whole upload for it. */
export function sealSuggestion(sealer: Sealer, requestId: string, suggestion: string): string {
  return sealer.seal(boundTo(requestId), Buffer.from(suggestion));
}

/**
 * The email address that the sender probably meant. Null when there is no suggestion, or when its key is no longer
 * configured. Only the page of the sender shows it: the link in the mail may be in the mailbox of another person.
 */
export function openSuggestion(sealer: Sealer, signup: HeldSignupStatus): string | null {
  const { by, requestId, keyId, sealedSuggestion } = signup;
  if (by !== 'page' || sealedSuggestion === null) return null;
  const opened = sealer.open({ requestId: boundTo(requestId), keyId, sealed: sealedSuggestion });
  return opened === null ? null : opened.toString('utf8');
}

/** Whether the signup was refused as it was typed, and its page can accept the suggested address. */
export function isOffer(signup: HeldSignupStatus): boolean {
  return signup.state === 'offered' || (signup.state === 'refused' && signup.sealedSuggestion !== null);
}

/** A stored suggestion cannot replace a held request or the suggestion of another signup. */
function boundTo(requestId: string): string {
  return `${requestId} suggestion`;
}
