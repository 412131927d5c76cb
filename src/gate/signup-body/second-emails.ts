import { ProblemError } from '../../http/problem.ts';
import { AT_SIGN } from './body-fields.ts';
import { decodeEscapes } from './field-path.ts';
import type { Mention } from './form-mentions.ts';

/** The largest number of emails, since each is judged. No honest form has as many. */
const MAX_SECOND_EMAILS = 8;

/**
 * The emails besides the configured one that an app may use instead, each once. A text that is no address is left out,
 * and so is the same address in another spelling (`%2B`, capitals).
 * @throws {ProblemError} `invalid_request` when there are too many.
 */
export function secondEmails(email: string | null, texts: readonly string[]): readonly string[] {
  if (texts.length === 0) return texts;
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

/** The addresses that a reader of forms finds in any body. */
export function addressesIn(mentions: readonly Mention[]): readonly string[] {
  return mentions.map(({ value }) => addressIn(value));
}

/** The address at the beginning of a value; the whole value when another `@` follows. */
function addressIn(value: string): string {
  // A plus may have become a space.
  const [, address = '', rest = ''] =
    /^([^"'<>\\\r\n@\uff20\ufe6b]*[@\uff20\ufe6b][^\s"'<>\\]*)(.*)$/s.exec(value.trim()) ?? [];
  return AT_SIGN.test(rest) ? value : address;
}

/** A link may hold an address that is escaped twice, and a plus as a space. */
function canonical(text: string): string {
  return decodeEscapes(decodeEscapes(text)).trim().replaceAll(' ', '+').toLowerCase();
}
