import type { Viewer } from './accounts/viewer.ts';
import { notThere } from './page-error.ts';
import type { DashboardContext } from './router.ts';

/** Middleware for a page that needs somebody signed in: others go to sign in, and come back. */
export async function signedIn(context: DashboardContext, next: () => Promise<void>): Promise<void> {
  if (context.state.viewer) {
    await next();
    return;
  }
  const back = context.method === 'GET' ? `?next=${encodeURIComponent(context.url)}` : '';
  context.redirect(`/sign-in${back}`);
  context.status = 303;
}

/** Middleware for a page of operators. To members it is not there. */
export async function operatorOnly(context: DashboardContext, next: () => Promise<void>): Promise<void> {
  await signedIn(context, async () => {
    if (viewerOf(context).role !== 'operator') throw notThere();
    await next();
  });
}

/** Behind `signedIn` and `operatorOnly`. */
export function viewerOf({ state }: DashboardContext): Viewer {
  if (!state.viewer) throw new TypeError('a page for viewers was reached by nobody');
  return state.viewer;
}

/** After a POST: the page to look at, so that reloading it posts nothing twice. `path` is one of ours. */
export function seeOther(context: DashboardContext, path: string): void {
  context.redirect(path);
  context.status = 303;
}

/** Where to go after signing in: a path of this site, whatever was asked for. */
export function safeReturnPath(next: string | undefined): string {
  return next !== undefined && /^\/(?![/\\])[\x21-\x7e]*$/.test(next) && !next.includes('\\') ? next : '/';
}
