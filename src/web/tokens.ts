import { hash, randomBytes, randomInt } from 'node:crypto';

const TOKEN_BYTES = 32;
/** The length of every token. A longer text is not a token. */
const MAX_TOKEN_LENGTH = 128;
const CODE_DIGITS = 6;

/** A token for a URL: 256 bits as base64url, 43 characters. Only its SHA-256 is stored. */
export function createToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/**
 * The hash by which a token is looked up. The time of a look-up reveals no part of the token; forged, truncated and
 * used tokens take the same time.
 */
export function tokenSha256(token: string): string {
  return hash('sha256', token.slice(0, MAX_TOKEN_LENGTH), 'hex');
}

/** A code of six digits; all values are equally likely. */
export function createCode(): string {
  return String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
}

/** People also paste the sentences of the mail around the code. */
const MAX_TYPED = 512;
/** After them, digits are shown in another order than they are read. */
const OVERRIDES = /[\u202d\u202e]/;

/**
 * Reads a code as typed or pasted. Spaces, hyphens, invisible marks of direction, words around the code, and the digits
 * of other keyboards (full-width, Arabic, Devanagari) are accepted. Null when the text does not have six digits in a row
 * exactly once; this does not count as a try.
 */
export function readCode(typed: string): string | null {
  if (typed.length > MAX_TYPED || OVERRIDES.test(typed)) return null;
  const text = typed
    .normalize('NFKC')
    .replace(/[\s\p{Pd}\p{Cf}]/gu, '')
    .replace(/\p{Nd}/gu, asciiDigit);
  const [code, ...others] = text.match(/(?<!\d)\d{6}(?!\d)/g) ?? [];
  return code !== undefined && others.length === 0 ? code : null;
}

/** In Unicode, the digits of each script are ten neighbours in the order of their values. */
function asciiDigit(digit: string): string {
  const point = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(point - value - 1))) value++;
  return String(value);
}
