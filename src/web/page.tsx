import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { Language } from './languages.ts';
import { pageStyle } from './page-style.ts';

/** Forms may go to any site, since browsers also apply this policy to the redirect in the app's answer. */
const STYLE = pageStyle({ sheet: 'verification.css', formAction: "'self' https: http:" });

/** The `Content-Security-Policy` of all pages that `renderPage` makes. */
export const PAGE_POLICY = STYLE.policy;

export interface PageContent {
  readonly language: Language;
  readonly title: string;
  /** An error, shown before the title in the browser's tab. */
  readonly error?: string | null;
  readonly content: ComponentChildren;
}

/** A whole page. Preact escapes all text, so the style must not contain `<`, `&` or `"`. */
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
