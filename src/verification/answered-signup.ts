import { readBodyStart } from '../http/read-body.ts';
import { cookieValues } from '../web/cookies.ts';
import { isSameSite } from '../web/same-site.ts';
import { answerMessage } from './answer-message.ts';
import type { HeldMessage } from './held-signup.ts';
import { isSecure } from './pass-cookie.ts';
import { VERIFY_FORM_LIMITS } from './read-verify-form.ts';
import { type PageRequest, sendTemporaryRedirect } from './verify-answers.ts';
import type { VerifyStep } from './verify-step.ts';

/** A path of this site. `//host` and `/\host` are other sites. Browsers store about 4 KB for each cookie. */
const TARGET = /^\/(?![/\\])[\x21-\x7e]{0,2000}$/;
const OWN_FIELDS: ReadonlySet<string> = new Set(['code', 'action']);

/**
 * Set-Cookie, name and value, for a browser that gets the app's answer to a signup at the URL of this step. Only that URL
 * receives the cookie. Programs get none.
 */
export function targetCookie(
  { form, token, publicUrl }: VerifyStep,
  { target }: HeldMessage,
  lifetimeMs: number,
): readonly string[] {
  if (form.json || !TARGET.test(target)) return [];
  const attributes = [
    `${cookieName(publicUrl)}=${encodeURIComponent(target)}`,
    `Path=/.gatekeeper/verify/${token}`,
    `Max-Age=${Math.floor(lifetimeMs / 1_000)}`,
    ...['HttpOnly', 'SameSite=Strict'],
    ...(isSecure(publicUrl) ? ['Secure'] : []),
  ];
  return ['Set-Cookie', attributes.join('; ')];
}

/** The target of the signup whose answer this browser got at the URL of the request; null when it got none. */
export function answeredTarget(cookies: string | undefined, publicUrl: string): string | null {
  const [value] = cookieValues(cookies, cookieName(publicUrl));
  if (value === undefined) return null;
  try {
    const target = decodeURIComponent(value);
    return TARGET.test(target) ? target : null;
  } catch {
    return null;
  }
}

/**
 * Answers a POST to a URL that has shown the app's answer. An app that refuses a form shows it again, often without an
 * `action`, so the browser sends the corrected form here. It is sent on to the path of the signup, with its body.
 */
export async function answerAgain(pageRequest: PageRequest, target: string): Promise<void> {
  if (!isSameSite(pageRequest.request, pageRequest.publicUrl)) answerMessage(pageRequest, false, 'crossSite');
  else if (await hasOwnForm(pageRequest)) answerMessage(pageRequest, false, 'closed');
  else sendTemporaryRedirect(pageRequest, target);
}

/** A reload of the page sends Gatekeeper's own form once more. */
async function hasOwnForm({ request, response }: PageRequest): Promise<boolean> {
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== undefined && type !== 'application/x-www-form-urlencoded') return false;
  const { bytes, isWhole } = await readBodyStart(request, response, VERIFY_FORM_LIMITS);
  const names = [...new URLSearchParams(bytes.toString('latin1')).keys()];
  return isWhole && names.every((name) => OWN_FIELDS.has(name));
}

function cookieName(publicUrl: string): string {
  return isSecure(publicUrl) ? '__Secure-gatekeeper-target' : 'gatekeeper-target';
}
