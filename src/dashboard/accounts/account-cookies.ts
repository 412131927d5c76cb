import type { KnownBrowser } from '../../accounts/known-browser.ts';
import { owesSecondFactor } from '../../accounts/two-factor/owes-second-factor.ts';
import { SECOND_STEP_LIFETIME_MS } from '../../accounts/two-factor/second-step.ts';
import type { SignedIn, UserSessions } from '../../accounts/user-sessions.ts';
import type { DashboardContext } from '../router.ts';
import type { Viewer } from './viewer.ts';

/** The cookie lives longer than any session: the stored session decides when it ends. */
const MAX_AGE_MS = 30 * 86_400_000;
const SECURE_PREFIX = '__Host-';
const SESSION = { secure: `${SECURE_PREFIX}gatekeeper`, plain: 'gatekeeper_session' };
const KNOWN = { secure: `${SECURE_PREFIX}gatekeeper-browser`, plain: 'gatekeeper_browser' };
const PENDING = { secure: `${SECURE_PREFIX}gatekeeper-second-step`, plain: 'gatekeeper_second_step' };
type CookieNames = typeof SESSION;
const TOKEN = /^[\w-]{43}$/;
/** Covers long holidays and parental leave. After that, the browser is unknown until its next sign-in. */
const KNOWN_BROWSER_MAX_AGE_MS = 180 * 86_400_000;
const KNOWN_BROWSER = /^[\w-]{22}(?:\.[\w-]{22}){1,5}$/;

/** The user who is signed in to the browser, by its cookie. */
export async function loadViewer(
  context: DashboardContext,
  sessions: UserSessions,
  { publicUrl, requiresTwoFactor }: { readonly publicUrl: string; readonly requiresTwoFactor: boolean },
): Promise<Viewer | null> {
  const token = context.cookies.get(nameFor(publicUrl, SESSION));
  if (token === undefined || !TOKEN.test(token)) return null;
  const found = await sessions.find(token);
  if (!found) return null;
  const { account, session } = found;
  const { id, name, email, role } = account;
  const owesTwoFactor = owesSecondFactor(found, requiresTwoFactor);
  return { accountId: id, name, email, role, sessionId: session.id, owesTwoFactor };
}

/**
 * Gives the browser a session. `Lax`, not `Strict`: with the latter, a user who follows a link from another site would
 * have to sign in again. Both values keep the cookie out of POSTs from other sites.
 */
export function keepSignedIn(
  context: DashboardContext,
  publicUrl: string,
  { token, knownBrowser }: SignedIn,
): void {
  writeCookie(context, nameFor(publicUrl, SESSION), `${token}; Max-Age=${MAX_AGE_MS / 1_000}`);
  setKnownBrowserCookie(context, publicUrl, knownBrowser);
}

export function clearSessionCookie(context: DashboardContext, publicUrl: string): void {
  writeCookie(context, nameFor(publicUrl, SESSION), '; Max-Age=0');
}

/** The token of a sign-in that waits for the second step. It opens no other page. */
export function readPendingCookie(context: DashboardContext, publicUrl: string): string | null {
  const token = context.cookies.get(nameFor(publicUrl, PENDING));
  return token !== undefined && TOKEN.test(token) ? token : null;
}

export function setPendingCookie(context: DashboardContext, publicUrl: string, token: string): void {
  writeCookie(context, nameFor(publicUrl, PENDING), `${token}; Max-Age=${SECOND_STEP_LIFETIME_MS / 1_000}`);
}

export function clearPendingCookie(context: DashboardContext, publicUrl: string): void {
  writeCookie(context, nameFor(publicUrl, PENDING), '; Max-Age=0');
}

/** Null when the cookie is missing or malformed. */
export function readKnownBrowserCookie(context: DashboardContext, publicUrl: string): KnownBrowser | null {
  const value = context.cookies.get(nameFor(publicUrl, KNOWN));
  if (value === undefined || !KNOWN_BROWSER.test(value)) return null;
  const [browserId = '', ...marks] = value.split('.');
  return { browserId, marks };
}

/** This cookie lives longer than the session, so a browser stays known after signing out. */
export function setKnownBrowserCookie(
  context: DashboardContext,
  publicUrl: string,
  { browserId, marks }: KnownBrowser,
): void {
  const value = [browserId, ...marks].join('.');
  const maxAge = KNOWN_BROWSER_MAX_AGE_MS / 1_000;
  writeCookie(context, nameFor(publicUrl, KNOWN), `${value}; Max-Age=${maxAge}`);
}

/**
 * Written without Koa, which refuses `Secure` on a connection without TLS. The connection from a TLS proxy has no TLS.
 */
function writeCookie(context: DashboardContext, name: string, value: string): void {
  const secure = name.startsWith(SECURE_PREFIX) ? '; Secure' : '';
  context.append('Set-Cookie', `${name}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}`);
}

/** The prefix makes browsers refuse a cookie of that name from a neighbouring host, or without TLS (RFC 6265bis). */
function nameFor(publicUrl: string, cookie: CookieNames): string {
  return publicUrl.startsWith('https:') ? cookie.secure : cookie.plain;
}
