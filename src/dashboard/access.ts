import type { Viewer } from './accounts/viewer.ts';
import { notThere } from './page-error.ts';
import type { DashboardContext } from './router.ts';

/**
 * Middleware for a page of members and operators. Support gets 404, since it sees only pages with its own middleware.
 * Visitors without a session go to the sign-in page, and then back to this page.
 */
export async function signedIn(context: DashboardContext, next: () => Promise<void>): Promise<void> {
  await everyUser(context, async () => {
    if (viewerOf(context).role === 'support') throw notThere();
    await next();
  });
}

/** Middleware for a page of every signed-in user, including support. */
export async function everyUser(context: DashboardContext, next: () => Promise<void>): Promise<void> {
  if (context.state.viewer) {
    await next();
    return;
  }
  const isForm = context.method === 'POST';
  const page = encodeURIComponent(isForm ? pageOfForm(context) : context.url);
  seeOther(context, `/sign-in?next=${page}${isForm ? '&unsaved=1' : ''}`);
}

/** The path of the page with the form that was sent. The security headers let browsers name it. */
export function pageOfForm(context: DashboardContext): string {
  const referer = context.get('referer');
  if (!URL.canParse(referer)) return '/';
  const { pathname, search } = new URL(referer);
  return pathname + search;
}

/** Middleware for a page of operators. Members get 404. */
export async function operatorOnly(context: DashboardContext, next: () => Promise<void>): Promise<void> {
  await signedIn(context, async () => {
    if (viewerOf(context).role !== 'operator') throw notThere();
    await next();
  });
}

/** Middleware for a page of operators and support. Members get 404. */
export async function staffOnly(context: DashboardContext, next: () => Promise<void>): Promise<void> {
  await everyUser(context, async () => {
    if (viewerOf(context).role === 'member') throw notThere();
    await next();
  });
}

/** The viewer, for pages behind one of the middlewares above. */
export function viewerOf({ state }: DashboardContext): Viewer {
  if (!state.viewer) throw new TypeError('a page for signed-in users was opened without a session');
  return state.viewer;
}

/** Redirects after a POST, so a reload does not send the form again. `path` is a path of the dashboard. */
export function seeOther(context: DashboardContext, path: string): void {
  context.redirect(path);
  context.status = 303;
}

/** The path to open after signing in. Any value that is not a path of this site is replaced. */
export function safeReturnPath(next: string | undefined): string {
  return next !== undefined && /^\/(?![/\\])[\x21-\x7e]*$/.test(next) && !next.includes('\\') ? next : '/';
}
