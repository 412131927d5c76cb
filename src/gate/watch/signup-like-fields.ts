import { namesPassword } from './fields-in-text.ts';
import { PassingFields } from './passing-fields.ts';

/** The reason why a body looks like a signup. */
export interface SignupLikeField {
  /** The place of the email, written like the `email` of a route. */
  readonly email: string;
  /** Whether a route with this place finds the email. */
  readonly isReadable: boolean;
}

/** Checks a body, or its first bytes. Null when it does not look like a signup. */
export type BodyInspector = (bytes: Buffer) => SignupLikeField | null;

/** A signup without files is smaller. Files come after the fields, or the search would cost too much. */
const MAX_BYTES = 16_384;
const MAX_FIELDS = 200;
const MAX_MAILBOX_CHARACTERS = 320;

const MAILBOX = /^[^\s@<>"]{1,64}@[^\s@<>"]{1,250}\.[^\s@<>"]{2,}$/;

/** Clients choose these names: a name that no route could have is not shown. */
const NAMEABLE = /^[\w-]{1,50}(?:\.[\w-]{1,50}|\[[\w-]{1,50}\]){0,5}$/;

/**
 * Recognises a body that has the email field of a route, or an email and a password. It reads the bytes and ignores the
 * Content-Type, so it finds a signup under any type. It refuses no request.
 * @param places Where the routes have their email.
 */
export function createBodyInspector(places: readonly string[]): BodyInspector {
  const names = new Set(places.map(lastName));
  return (bytes) => {
    let mailbox: SignupLikeField | null = null;
    let hasPassword = false;
    let count = 0;
    for (const { place, value, isReadable } of new PassingFields().read(bytes, MAX_BYTES)) {
      if (++count > MAX_FIELDS) break;
      if (value.length <= MAX_MAILBOX_CHARACTERS && MAILBOX.test(value.trim())) {
        const isNameable = NAMEABLE.test(place);
        const found = { email: isNameable ? place : 'email', isReadable: isReadable && isNameable };
        if (names.has(lastName(place))) return found;
        mailbox ??= found;
      } else if (value !== '' && namesPassword(lastName(place))) {
        hasPassword = true;
      }
    }
    return hasPassword ? mailbox : null;
  };
}

/** Whether a body contains an email address at all. Most bodies do not, and this check takes 0.1 µs. */
export function mayHoldMailbox(bytes: Buffer): boolean {
  // Searches only the part that is read afterwards, not a whole upload.
  const start = bytes.length > MAX_BYTES ? bytes.subarray(0, MAX_BYTES) : bytes;
  return start.includes(0x40) || start.includes('%40');
}

function lastName(place: string): string {
  const end = place.endsWith(']') ? place.length - 1 : place.length;
  const begin = Math.max(place.lastIndexOf('.', end - 1), place.lastIndexOf('[', end - 1)) + 1;
  return place.slice(begin, end).toLowerCase();
}
