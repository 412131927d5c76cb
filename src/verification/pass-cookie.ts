import { cookieValues } from '../web/cookies.ts';
import { tokenSha256 } from '../web/tokens.ts';

/** A browser sends fewer cookies of one name. The limit bounds the number of comparisons. */
const MAX_TOKENS = 4;

/** Set-Cookie, name and value, for a browser that verified a mailbox and may pass once more within this time. */
export function passCookie(token: string, publicUrl: string, lifetimeMs: number): readonly string[] {
  const secure = isSecure(publicUrl) ? '; Secure' : '';
  const maxAge = Math.floor(lifetimeMs / 1_000);
  return [
    'Set-Cookie',
    `${cookieName(publicUrl)}=${token}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`,
  ];
}

/** The SHA-256 of every token of this cookie in a request. */
export function passTokens(cookies: string | undefined, publicUrl: string): readonly string[] {
  return cookieValues(cookies, cookieName(publicUrl)).slice(0, MAX_TOKENS).map(tokenSha256);
}

/** The prefix keeps sibling domains and pages over plain HTTP from setting the cookie (RFC 6265bis section 4.1.3.2). */
function cookieName(publicUrl: string): string {
  return isSecure(publicUrl) ? '__Host-gatekeeper-pass' : 'gatekeeper-pass';
}

export function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith('https:');
}
