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

/**
 * Reads a code as typed or pasted. Spaces, hyphens and full-width digits of Japanese keyboards are accepted. Null when
 * the text is not six digits; this does not count as a try.
 */
export function readCode(typed: string): string | null {
  if (typed.length > 64) return null;
  const code = typed.normalize('NFKC').replace(/[\s\p{Pd}]/gu, '');
  return /^\d{6}$/.test(code) ? code : null;
}
