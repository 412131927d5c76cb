import { namesPassword } from '../watch/signup-like-fields.ts';

/** An email, and the one that takes its place. */
export interface EmailReplacement {
  /** As sent, trimmed. */
  readonly typed: string;
  readonly corrected: string;
}

/**
 * Whether a field gets the corrected email: its whole value is the typed one, in any case. So the field that asks for the
 * email a second time is corrected too. A password stays what the sender typed.
 */
export function isReplaced(name: string, value: string, { typed }: EmailReplacement): boolean {
  // Longer text needs no comparison: names may be as long as the body.
  if (value.length > typed.length + MAX_WHITE_SPACE) return false;
  return value.trim().toLowerCase() === typed.toLowerCase() && !namesPassword(name);
}

/** Around a value; with more, the field is no email that a person typed. */
const MAX_WHITE_SPACE = 100;
