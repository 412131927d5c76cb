import { type EmailReplacement, isReplaced } from './email-replacement.ts';

/**
 * Replaces an email in `application/x-www-form-urlencoded`, or in a query. All other bytes stay unchanged. The text was
 * read before, so its escapes are valid.
 *
 * @param text Latin-1: one character for each byte.
 * @returns null when no value is the email.
 */
export function replaceInForm(text: string, replacement: EmailReplacement): string | null {
  let count = 0;
  const pairs = text.split('&').map((pair) => {
    const equals = pair.indexOf('=');
    if (equals === -1) return pair;
    const name = decode(pair.slice(0, equals));
    const value = decode(pair.slice(equals + 1));
    if (name === null || value === null || !isReplaced(name, value, replacement)) return pair;
    count++;
    return pair.slice(0, equals + 1) + encode(replacement.corrected);
  });
  return count > 0 ? pairs.join('&') : null;
}

/** Null for text that is not UTF-8. An email outside ASCII is accepted only in UTF-8. */
function decode(latin1: string): string | null {
  if (!/[%\x80-\xff]/.test(latin1)) return latin1.replaceAll('+', ' ');
  try {
    return decodeURIComponent(Buffer.from(latin1.replaceAll('+', ' '), 'latin1').toString());
  } catch {
    return null;
  }
}

/** Encodes text like browsers: https://url.spec.whatwg.org/#application-x-www-form-urlencoded-percent-encode-set */
function encode(text: string): string {
  return encodeURIComponent(text)
    .replace(/[!'()~]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
}
