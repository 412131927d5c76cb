import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { Language } from './languages.ts';
import { pageStyle } from './page-style.ts';

/** Forms may lead anywhere on the web, since browsers hold the redirect of the app's own answer against this too. */
const STYLE = pageStyle({ sheet: 'verification.css', formAction: "'self' https: http:" });

/** The `Content-Security-Policy` of all pages that `renderPage` makes. */
export const PAGE_POLICY = STYLE.policy;

export interface PageContent {
  readonly language: Language;
  readonly title: string;
  /** In front of the title in the browser's tab: what went wrong. */
  readonly error?: string | null;
  readonly content: ComponentChildren;
}

/** A whole page. Preact escapes all text in it, and so would break a style that holds `<`, `&` or `"`. */
export function renderPage({ language, title, error = null, content }: PageContent): string {
  return `<!doctype html>\n${renderToString(
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{error === null ? title : `${error} – ${title}`}</title>
        <style>{STYLE.css}</style>
      </head>
      <body>
        <main>{content}</main>
      </body>
    </html>,
  )}\n`;
}
