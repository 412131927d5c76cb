import Router, { type RouterContext } from '@koa/router';
import type { Viewer } from './accounts/viewer.ts';
import type { Form } from './form.ts';
import type { StaticFiles } from './static-files.ts';

/** What the middleware knows of a request before its page is made. */
export interface DashboardState {
  readonly requestId: string;
  readonly files: StaticFiles;
  /** Null before signing in. */
  viewer: Viewer | null;
  /** What the forms of the page have to carry. */
  csrfToken: string;
  /** The fields of a POST; empty for anything else. Its token was checked already. */
  form: Form;
}

export type DashboardRouter = Router<DashboardState>;
export type DashboardContext = RouterContext<DashboardState>;

/** Strict and sensitive: one spelling of each address. */
export function createRouter(): DashboardRouter {
  return new Router<DashboardState>({ strict: true, sensitive: true });
}
