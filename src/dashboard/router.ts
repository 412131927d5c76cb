import Router, { type RouterContext } from '@koa/router';
import type { Viewer } from './accounts/viewer.ts';
import type { Form } from './form.ts';
import type { StaticFiles } from './static-files.ts';

/** Facts about a request that the middleware sets before the page is rendered. */
export interface DashboardState {
  readonly requestId: string;
  /** The time of the request. */
  readonly now: number;
  readonly files: StaticFiles;
  /** The signed-in user; null before signing in. */
  viewer: Viewer | null;
  /** The token that each form of the page must contain. */
  csrfToken: string;
  /** The fields of a POST; empty for other methods. The token has already been checked. */
  form: Form;
  /** The file of an upload, while it arrives; null when the form has no file. */
  upload: AsyncIterable<Buffer> | null;
}

export type DashboardRouter = Router<DashboardState>;
export type DashboardContext = RouterContext<DashboardState>;

/** Strict and case-sensitive: each URL has one spelling. */
export function createRouter(): DashboardRouter {
  return new Router<DashboardState>({ strict: true, sensitive: true });
}
