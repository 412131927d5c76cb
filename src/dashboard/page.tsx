import { type ComponentChildren, Fragment, h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { Layout } from './layout/layout.tsx';
import type { DashboardContext } from './router.ts';

export interface Page {
  readonly title: string;
  readonly content: ComponentChildren;
  /** The status; 200 if left out. */
  readonly status?: number;
  /** Names of static files that this page needs besides `dashboard.js`. */
  readonly scripts?: readonly string[];
}

/** Answers with a whole page. */
export function sendPage(context: DashboardContext, page: Page): void {
  context.status = page.status ?? 200;
  context.type = 'text/html; charset=utf-8';
  context.body = renderPage(context, page);
}

/** The HTML of a page. Preact escapes all text in it. */
export function renderPage(
  context: DashboardContext,
  { title, content, scripts = [] }: Omit<Page, 'status'>,
): string {
  const { viewer, csrfToken, files, now } = context.state;
  const theme = context.cookies.get('gatekeeper_theme');
  return `<!doctype html>${renderToString(
    <Layout
      title={title}
      path={context.path}
      viewer={viewer ?? null}
      csrfToken={csrfToken}
      now={now}
      theme={theme === 'light' || theme === 'dark' ? theme : null}
      urlOf={files.urlOf}
      scripts={scripts}
    >
      {content}
    </Layout>,
  )}`;
}

/** Answers with a part of a page, for a script that refreshes this part. */
export function sendFragment(context: DashboardContext, content: ComponentChildren): void {
  context.type = 'text/html; charset=utf-8';
  context.body = renderToString(h(Fragment, null, content));
}
