import { hash } from 'node:crypto';
import { html } from '../../web/html.ts';
import type { Language } from '../../web/languages.ts';
import type { Page } from '../../web/own-reply.ts';
import type { BlockPageTexts } from '../../web/translation.ts';

export interface PageFacts {
  readonly language: Language;
  readonly requestId: string;
}

/** Readable at 200 % zoom and 360 px; contrast at least 7:1 in both colour schemes (WCAG 2.2, 1.4.6). */
const STYLE = `
:root{color-scheme:light dark}
body{margin:0;padding:2.5rem 1.25rem;background:#f5f5f3;color:#1c1c1a;font:1.0625rem/1.6 system-ui,sans-serif}
main{max-width:34rem;margin:0 auto;padding:1.75rem;background:#fff;border:1px solid #d6d6d0;border-radius:.5rem}
h1{margin:0 0 1rem;font-size:1.5rem;line-height:1.25;text-wrap:balance}
p{margin:0 0 1rem}
p:last-child{margin:0}
.reference{padding:.75rem 1rem;background:#f0f0ec;border-radius:.25rem}
.reference span{display:block;font-size:.875rem}
code{font:1rem/1.5 ui-monospace,monospace;overflow-wrap:anywhere}
a{color:#0b4f9e}
a:focus-visible{outline:3px solid currentcolor;outline-offset:3px}
@media (prefers-color-scheme:dark){
body{background:#161615;color:#ededea}
main{background:#1f1f1d;border-color:#45453f}
.reference{background:#2b2b28}
a{color:#9cc7ff}
}
@media (max-width:30rem){body{padding:1rem .75rem}main{padding:1.25rem}}
`;

/** Nothing runs and nothing is loaded, not even from here; the style counts by its hash. */
const STRICT_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', STYLE, 'base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function plainPage(texts: BlockPageTexts, { language, requestId }: PageFacts): Page {
  const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${texts.title}</title>
<style>${{ html: STYLE }}</style>
</head>
<body>
<main>
<h1>${texts.heading}</h1>
<p>${texts.whatHappened}</p>
<p>${texts.whatToDo}</p>
<p class="reference"><span>${texts.reference}</span><code>${requestId}</code></p>
<p><a href="/">${texts.back}</a></p>
</main>
</body>
</html>
`;
  return { html: page.html, policy: STRICT_POLICY };
}
