import { hash } from 'node:crypto';
import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { Language } from './languages.ts';

/** Looks like the block page of the gate. Readable at 200 % zoom and 360 px; contrast at least 7:1 (WCAG 2.2, 1.4.6). */
const STYLE = `
:root{color-scheme:light dark}
body{margin:0;padding:2.5rem 1.25rem;background:#f5f5f3;color:#1c1c1a;font:1.0625rem/1.6 system-ui,sans-serif}
main{max-width:34rem;margin:0 auto;padding:1.75rem;background:#fff;border:1px solid #d6d6d0;border-radius:.5rem;overflow-wrap:anywhere}
h1{margin:0 0 1rem;font-size:1.5rem;line-height:1.25}
h2{margin:2rem 0 .5rem;font-size:1.125rem}
p{margin:0 0 1rem}
form{margin:0 0 1.5rem}
label{display:block;font-weight:600}
.hint{display:block;font-size:.9375rem}
input{box-sizing:border-box;width:100%;max-width:14rem;margin:.5rem 0 1rem;padding:.5rem .75rem;border:2px solid #55554f;border-radius:.25rem;background:#fff;color:inherit;font:1.5rem/1.4 ui-monospace,monospace;letter-spacing:.2em}
input[aria-invalid]{border-color:#9b1c1c}
button{min-height:2.75rem;padding:.5rem 1.25rem;border:2px solid #0b4f9e;border-radius:.25rem;background:#0b4f9e;color:#fff;font:inherit;font-weight:600;cursor:pointer}
button.second{background:transparent;color:#0b4f9e}
dl{margin:0 0 1.5rem;padding:.75rem 1rem;background:#f0f0ec}
dt{font-size:.9375rem}
dd{margin:0 0 .5rem;font-weight:600}
dd:last-child{margin:0}
.error,.status{margin:0 0 1rem;padding:.75rem 1rem;border-left:.25rem solid #0b4f9e;background:#f0f0ec}
.error{border-color:#9b1c1c}
.error h2{margin:0;font-size:1rem}
.error p{margin:0}
a{color:#0b4f9e}
a:focus-visible,button:focus-visible,input:focus-visible{outline:3px solid currentcolor;outline-offset:3px}
@media (prefers-color-scheme:dark){
body{background:#161615;color:#ededea}
main{background:#1f1f1d;border-color:#45453f}
input{background:#161615;border-color:#b8b8b0}
input[aria-invalid]{border-color:#ff9d9d}
button{background:#9cc7ff;border-color:#9cc7ff;color:#161615}
button.second{color:#9cc7ff}
.error,.status,dl{background:#2b2b28;border-color:#9cc7ff}
.error{border-color:#ff9d9d}
a{color:#9cc7ff}
}
@media (max-width:30rem){body{padding:1rem .75rem}main{padding:1.25rem}}
`;

/**
 * Nothing runs and nothing is loaded; the style counts by its hash. Forms may end anywhere on the web, since browsers
 * hold the redirect of the app's own answer against this too.
 */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', STYLE, 'base64')}'`,
  "base-uri 'none'",
  "form-action 'self' https: http:",
  "frame-ancestors 'none'",
].join('; ');

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
        <style>{STYLE}</style>
      </head>
      <body>
        <main>{content}</main>
      </body>
    </html>,
  )}\n`;
}
