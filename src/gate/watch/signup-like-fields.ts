/** The reason why a body looks like a signup. */
export interface SignupLikeField {
  /** The place of the email, written like the `email` of a route. */
  readonly email: string;
}

/** Checks a body, or its first bytes. Null when it does not look like a signup. */
export type BodyInspector = (bytes: Buffer) => SignupLikeField | null;

/** A signup without files is smaller. Files come after the fields, or the search would cost too much. */
const MAX_BYTES = 16_384;
const MAX_FIELDS = 200;
const MAX_NAME_CHARACTERS = 200;
const MAX_MAILBOX_CHARACTERS = 320;
const MAX_DEPTH = 6;

const MAILBOX = /^[^\s@<>"]{1,64}@[^\s@<>"]{1,250}\.[^\s@<>"]{2,}$/;
const PASSWORD = /pass|pwd|secret|kennwort|contrase|senha|parol|wachtwoord/i;

/** The name of a part of a multipart body, with or without quotes. */
const NAME = ' name=';
const HEAD_END = '\r\n\r\n';

/** Whether a field is named like one for a password or another secret. */
export function namesPassword(name: string): boolean {
  return PASSWORD.test(name);
}

type Field = readonly [place: string, value: string];

/**
 * Recognises a body that has the email field of a route, or an email and a password. It reads the bytes and ignores the
 * Content-Type, so it finds a signup under any type. It refuses no request.
 * @param places Where the routes have their email.
 */
export function createBodyInspector(places: readonly string[]): BodyInspector {
  const names = new Set(places.map(lastName));
  return (bytes) => {
    let mailbox: string | null = null;
    let hasPassword = false;
    let count = 0;
    for (const [place, value] of fieldsOf(bytes)) {
      if (++count > MAX_FIELDS) break;
      if (value.length <= MAX_MAILBOX_CHARACTERS && MAILBOX.test(value.trim())) {
        if (names.has(lastName(place))) return { email: nameable(place) };
        mailbox ??= nameable(place);
      } else if (value !== '' && PASSWORD.test(lastName(place))) {
        hasPassword = true;
      }
    }
    return mailbox !== null && hasPassword ? { email: mailbox } : null;
  };
}

/** Whether a body contains an email address at all. Most bodies do not, and this check takes 0.1 µs. */
export function mayHoldMailbox(bytes: Buffer): boolean {
  // Searches only the part that is read afterwards, not a whole upload.
  const start = bytes.length > MAX_BYTES ? bytes.subarray(0, MAX_BYTES) : bytes;
  return start.includes(0x40) || start.includes('%40');
}

function fieldsOf(bytes: Buffer): Iterable<Field> {
  const text = bytes.toString('utf8', 0, MAX_BYTES);
  const first = text.trimStart()[0];
  if (first === '{' || first === '[') return jsonFieldsOf(text);
  if (text.startsWith('--')) return partsOf(text);
  return new URLSearchParams(text);
}

function* partsOf(text: string): Generator<Field> {
  let at = text.indexOf(NAME);
  while (at !== -1) {
    const begin = at + NAME.length + (text[at + NAME.length] === '"' ? 1 : 0);
    const valueBegin = text.indexOf(HEAD_END, begin);
    if (valueBegin === -1) return;
    const [name = ''] = text
      .slice(begin, Math.min(valueBegin, begin + MAX_NAME_CHARACTERS))
      .split(/["';\r\n]/, 1);
    const valueEnd = text.indexOf('\r\n', valueBegin + HEAD_END.length);
    yield [name, text.slice(valueBegin + HEAD_END.length, valueEnd === -1 ? undefined : valueEnd)];
    at = valueEnd === -1 ? -1 : text.indexOf(NAME, valueEnd);
  }
}

function jsonFieldsOf(text: string): Iterable<Field> {
  try {
    return membersOf(JSON.parse(text), '', 0);
  } catch {
    return [];
  }
}

function* membersOf(value: unknown, place: string, depth: number): Generator<Field> {
  if (typeof value === 'string') yield [place, value];
  if (typeof value !== 'object' || value === null || depth === MAX_DEPTH) return;
  for (const [name, member] of Object.entries(value)) {
    // An item of a list has the place of the list.
    const path = Array.isArray(value) ? place : place === '' ? name : `${place}.${name}`;
    yield* membersOf(member, path, depth + 1);
  }
}

/** Clients choose these names: a name that no route could have is not shown. */
function nameable(place: string): string {
  return /^[\w-]{1,50}(?:\.[\w-]{1,50}|\[[\w-]{1,50}\]){0,5}$/.test(place) ? place : 'email';
}

function lastName(place: string): string {
  const end = place.endsWith(']') ? place.length - 1 : place.length;
  const begin = Math.max(place.lastIndexOf('.', end - 1), place.lastIndexOf('[', end - 1)) + 1;
  return place.slice(begin, end).toLowerCase();
}
