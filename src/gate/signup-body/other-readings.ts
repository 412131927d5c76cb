import { ProblemError } from '../../http/problem.ts';
import { ambiguous } from './body-fields.ts';
import type { SignupMediaType } from './content-type.ts';
import { compareName, decodeLeniently, type FieldPath } from './field-path.ts';

/** A signup names its email a few times at most. */
const MAX_MENTIONS = 200;
/** Longer names of fields are nobody's. */
const MAX_NAME_CHARACTERS = 200;

/**
 * Refuses an encoded body that says something as it stands too. Apps that do not know content encodings read the bytes as
 * they came: a comment in the head of a gzip stream can hold a whole form.
 */
export function refuseReadableEncoding(bytes: Buffer, mediaType: SignupMediaType, path: FieldPath): void {
  const isReadable =
    /^[ \t\r\n]*[{[]/.test(bytes.toString('latin1', 0, 100)) ||
    (mediaType.kind === 'multipart' && bytes.includes(`--${mediaType.boundary}`)) ||
    valuesAsForm(bytes, path).length > 0;
  if (isReadable)
    throw new ProblemError('invalid_request', 'The encoded body can be read without decoding it.');
}

/**
 * Refuses a body that is another signup to whoever takes it for a form whatever its type says, as handwritten servers do:
 * `{"x":"&email=other%40example.com&"}`.
 */
export function refuseOtherForm(bytes: Buffer, path: FieldPath, email: string | null): void {
  const others = valuesAsForm(bytes, path).filter((value) => !isSame(value, email));
  if (others.length > 0) throw ambiguous(path, 'the body read as a form holds another one');
}

/**
 * Also with the end of a text or of a part behind it, as where a field holds the address of the page that somebody came
 * by: `"from":"https://app.example/?utm=1&email=jane%40example.com"}`.
 */
function isSame(value: string, email: string | null): boolean {
  const text = value.trim();
  if (text === email) return true;
  return email !== null && text.startsWith(email) && /^["\r\n][^@]*$/.test(text.slice(email.length));
}

/** The values that a lenient reader of forms finds at a path. A megabyte costs a few milliseconds. */
function valuesAsForm(bytes: Buffer, path: FieldPath): string[] {
  if (!bytes.includes('=')) return [];
  const text = bytes.toString('latin1');
  const word = wordOf(path.at(-1) ?? '');
  const values: string[] = [];
  let mentions = 0;
  let equals = -1;
  for (let match = word.exec(text); match; match = word.exec(text)) {
    const end = word.lastIndex;
    if (equals < end) equals = text.indexOf('=', end);
    if (equals === -1) break;
    if (equals - end > MAX_NAME_CHARACTERS) {
      word.lastIndex = equals - MAX_NAME_CHARACTERS - match[0].length;
      continue;
    }
    if (++mentions > MAX_MENTIONS) throw ambiguous(path, 'its name stands too often in the body');
    const name = text.slice(Math.max(0, match.index - MAX_NAME_CHARACTERS), equals).replace(/^.*[&;]/s, '');
    if (compareName(decode(name), path) === 'other') continue;
    const [value = ''] = text.slice(equals + 1).split(/[&;]/, 1);
    values.push(decode(value));
  }
  return values;
}

/** A word, each letter as it is or escaped. */
function wordOf(word: string): RegExp {
  const letters = [...Buffer.from(word).toString('latin1')].map((letter) => {
    const escapes = [letter.toLowerCase(), letter.toUpperCase()].map(
      (variant) => `%${variant.charCodeAt(0).toString(16).padStart(2, '0')}`,
    );
    return `(?:${letter.replace(/\W/g, '\\$&')}|${escapes.join('|')})`;
  });
  return new RegExp(letters.join(''), 'gi');
}

function decode(text: string): string {
  return decodeLeniently(Buffer.from(text, 'latin1').toString().replaceAll('+', ' '));
}
