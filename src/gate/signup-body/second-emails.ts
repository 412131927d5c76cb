import { ProblemError } from '../../http/problem.ts';
import { decodeEscapes } from './fold-name.ts';

/** Each is judged. No honest form has as many. */
const MAX_SECOND_EMAILS = 8;

/** What may be an address to somebody: `@`, or one of its wide and small forms. */
const AT_SIGN = /[@\uff20\ufe6b]/;

/**
 * The emails beside the one that is configured which an app may take in its place, each once. What is no address at all,
 * or the same one in another spelling (`%2B`, capitals), is left out.
 *
 * @throws {ProblemError} `invalid_request` when there are too many.
 */
export function secondEmails(email: string | null, texts: readonly string[]): readonly string[] {
  const known = new Set(email === null ? [] : [canonical(email)]);
  const emails: string[] = [];
  for (const text of texts) {
    const trimmed = text.trim();
    if (!AT_SIGN.test(trimmed) || known.has(canonical(trimmed))) continue;
    known.add(canonical(trimmed));
    if (emails.length === MAX_SECOND_EMAILS)
      throw new ProblemError('invalid_request', 'The request holds too many emails.');
    emails.push(trimmed);
  }
  return emails;
}

/** The address at the beginning of a value that was found in passing; all of the value where another `@` follows. */
export function addressIn(value: string): string {
  // A plus may have become a space.
  const [, address = '', rest = ''] =
    /^([^"'<>\\\r\n@\uff20\ufe6b]*[@\uff20\ufe6b][^\s"'<>\\]*)(.*)$/s.exec(value.trim()) ?? [];
  return AT_SIGN.test(rest) ? value : address;
}

/** A link may hold an address escaped twice, and a plus as a space. */
function canonical(text: string): string {
  return decodeEscapes(decodeEscapes(text)).trim().replaceAll(' ', '+').toLowerCase();
}
