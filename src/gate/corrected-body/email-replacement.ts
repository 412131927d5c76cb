import { namesPassword } from '../watch/fields-in-text.ts';

/** An email, and the email that replaces it. */
export interface EmailReplacement {
  /** The email as sent, trimmed. */
  readonly typed: string;
  readonly corrected: string;
}

/**
 * Whether a field gets the corrected email: its whole value must be the typed email, in upper or lower case. So the
 * field that asks for the email a second time is corrected too. A password stays what the sender typed.
 */
export function isReplaced(name: string, value: string, { typed }: EmailReplacement): boolean {
  // A longer text is not compared, since a text may be as long as the body.
  if (value.length > typed.length + MAX_WHITE_SPACE) return false;
  return value.trim().toLowerCase() === typed.toLowerCase() && !namesPassword(name);
}

/** The largest number of characters around a value. With more, the field is not an email that a person typed. */
const MAX_WHITE_SPACE = 100;
