import { createHmac, timingSafeEqual } from 'node:crypto';
import { PageError } from '../page-error.ts';
import type { DashboardContext } from '../router.ts';

/** The name of the hidden field that carries the token. */
export const CSRF_FIELD = 'csrf';

/** What the forms of one session carry. Nobody can make it without the secret, so nothing about it is stored. */
export function csrfTokenFor(sessionId: string, secret: string): string {
  return createHmac('sha256', secret).update(`csrf ${sessionId}`).digest('base64url');
}

/**
 * Refuses a POST that one of our own pages did not make. The browser says where it comes from (`Sec-Fetch-Site`, every one
 * since 2023, or `Origin`); whoever is signed in must carry the token of the session besides.
 *
 * @throws PageError 403
 */
export function refuseForgery(context: DashboardContext, publicUrl: string): void {
  const { 'sec-fetch-site': site, origin } = context.headers;
  const isForeign =
    (site !== undefined && site !== 'same-origin' && site !== 'none') ||
    (origin !== undefined && !isOwnOrigin(origin, context.headers.host, publicUrl));
  const { viewer, csrfToken, form } = context.state;
  if (isForeign || (viewer !== null && !isSame(form.raw(CSRF_FIELD), csrfToken))) {
    throw new PageError(
      403,
      'This form did not come from a page of yours, or from one of an earlier session. Go back, reload the page and send it again.',
    );
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
