import type { DashboardContext } from '../router.ts';

/** Longer than a session of the records lives: those decide when it ends. */
const MAX_AGE_MS = 30 * 86_400_000;
const TOKEN = /^[\w-]{43}$/;

/** The session token that the browser sent, if it has the form of one. */
export function readSessionCookie(context: DashboardContext, publicUrl: string): string | null {
  const token = context.cookies.get(nameFor(publicUrl));
  return token !== undefined && TOKEN.test(token) ? token : null;
}

/**
 * Gives the browser a session. `Lax`, not `Strict`: with the latter, whoever comes by a link from elsewhere would have to
 * sign in again. It is not sent with the POSTs of other sites either way.
 */
export function setSessionCookie(context: DashboardContext, publicUrl: string, token: string): void {
  writeCookie(context, publicUrl, `${token}; Max-Age=${MAX_AGE_MS / 1_000}`);
}

export function clearSessionCookie(context: DashboardContext, publicUrl: string): void {
  writeCookie(context, publicUrl, '; Max-Age=0');
}

/** By hand: Koa refuses `Secure` on a connection without TLS, which the one from a proxy in front always is. */
function writeCookie(context: DashboardContext, publicUrl: string, value: string): void {
  const secure = isSecure(publicUrl) ? '; Secure' : '';
  context.append('Set-Cookie', `${nameFor(publicUrl)}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}`);
}

/** The prefix makes browsers refuse a cookie of that name from a neighbouring host, or without TLS (RFC 6265bis). */
function nameFor(publicUrl: string): string {
  return isSecure(publicUrl) ? '__Host-gatekeeper' : 'gatekeeper_session';
}

function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith('https:');
}
