import { createHmac, timingSafeEqual } from 'node:crypto';
import { pageOfForm, safeReturnPath } from '../access.ts';
import { EarlierSessionError, PageError } from '../page-error.ts';
import type { DashboardContext } from '../router.ts';

/** The name of the hidden field that carries the token. */
export const CSRF_FIELD = 'csrf';
/**
 * The forms of visitors without a session have no token. Such a form may be open in one tab while another tab signs in,
 * so it needs no token when the browser names this site as its origin.
 */
const FORMS_OF_VISITORS = /^\/(?:sign-in|register|forgotten|links)(?:\/|$)/;

/**
 * The token in the forms of one session. It is derived from the session with the secret, so tokens need not be stored.
 */
export function csrfTokenFor(sessionId: string, secret: string): string {
  return createHmac('sha256', secret).update(`csrf ${sessionId}`).digest('base64url');
}

/**
 * Refuses a POST from another site. Browsers send the origin in `Sec-Fetch-Site` (every browser since 2023) or
 * `Origin`. With a session, the form must also contain the token, unless it is one of `FORMS_OF_VISITORS`.
 *
 * @throws PageError 403; for a form of this site without the token, EarlierSessionError
 */
export function refuseForgery(context: DashboardContext, publicUrl: string): void {
  const { 'sec-fetch-site': site, origin } = context.headers;
  const isForeign =
    (site !== undefined && site !== 'same-origin' && site !== 'none') ||
    (origin !== undefined && !isOwnOrigin(origin, context.headers.host, publicUrl));
  if (isForeign) throw new PageError(403, 'This form is from another site, so nothing was changed.');
  const { viewer, csrfToken, form } = context.state;
  const isNamedOwn = site === 'same-origin' || origin !== undefined;
  const needsToken = viewer !== null && !(isNamedOwn && FORMS_OF_VISITORS.test(context.path));
  if (needsToken && !isSame(form.raw(CSRF_FIELD), csrfToken)) {
    throw new EarlierSessionError(safeReturnPath(pageOfForm(context)));
  }
}

function isOwnOrigin(origin: string, host: string | undefined, publicUrl: string): boolean {
  if (origin === publicUrl) return true;
  return URL.canParse(origin) && new URL(origin).host === host?.toLowerCase();
}

function isSame(given: string, token: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}
