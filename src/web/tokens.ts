import { hash, randomBytes, randomInt } from 'node:crypto';

const TOKEN_BYTES = 32;
/** Any longer, and it is none of ours. */
const MAX_TOKEN_LENGTH = 128;
const CODE_DIGITS = 6;

/** 256 bits as base64url, 43 characters: what a URL carries. Only its SHA-256 is stored. */
export function createToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/**
 * What a token is looked up by. The time of a look-up by hash says nothing about the token: a guess has to be
 * right as a whole, and forged, truncated and used tokens cost the same.
 */
export function tokenSha256(token: string): string {
  return hash('sha256', token.slice(0, MAX_TOKEN_LENGTH), 'hex');
}

/** Six digits, each value as likely as any other. */
export function createCode(): string {
  return String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
}

/**
 * A code as typed or pasted: spaces and hyphens between the digits do not matter, nor does the full width that Japanese
 * keyboards type. Null: not six digits, which the page can say without counting a try.
 */
export function readCode(typed: string): string | null {
  if (typed.length > 64) return null;
  const code = typed.normalize('NFKC').replace(/[\s\p{Pd}]/gu, '');
  return /^\d{6}$/.test(code) ? code : null;
}
