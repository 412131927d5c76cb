/** The content of a body without the expected email: the names of its fields, never their values. */
export interface BodyOutline {
  /** Places of fields, written like the `email` of a route. */
  readonly fields: readonly string[];
  /** The field that probably holds the email; null when no field looks like it. */
  readonly emailField: string | null;
}

/** A field and its value, with the place written like the `email` of a route. */
export type NamedValue = readonly [place: string, value: unknown];

/** The limit for logged names. It is larger than the number of fields of most signup forms. */
const MAX_FIELDS = 12;
/** A body may have many more fields. */
const MAX_LOOKED_AT = 200;
const MAX_DEPTH = 4;
const MAX_MAILBOX_CHARACTERS = 320;
/** Senders choose names: only those that a developer could have chosen are repeated. */
const NAME = /^[A-Za-z_][\w-]{0,49}(?:\.[\w-]{1,50}|\[[\w-]{1,50}\]){0,4}$/;
const MAILBOX = /^[^\s@<>"]{1,64}@[^\s@<>"]{1,250}$/;
const EMAIL_NAME = /mail|courriel|correo/i;

export function outlineOf(values: Iterable<NamedValue>): BodyOutline {
  const fields: string[] = [];
  let named: string | null = null;
  let holding: string | null = null;
  let count = 0;
  for (const [place, value] of values) {
    if (++count > MAX_LOOKED_AT) break;
    if (!NAME.test(place)) continue;
    if (fields.length < MAX_FIELDS) fields.push(place);
    if (EMAIL_NAME.test(place)) named ??= place;
    if (isMailbox(value)) holding ??= place;
  }
  return { fields, emailField: holding ?? named };
}

/** The members of a JSON value, with their places from the top. */
export function* membersOf(value: unknown, place = '', depth = 0): Generator<NamedValue> {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth === MAX_DEPTH) {
    if (place !== '') yield [place, value];
    return;
  }
  for (const [name, member] of Object.entries(value))
    yield* membersOf(member, place === '' ? name : `${place}.${name}`, depth + 1);
}

function isMailbox(value: unknown): boolean {
  return typeof value === 'string' && value.length <= MAX_MAILBOX_CHARACTERS && MAILBOX.test(value.trim());
}
