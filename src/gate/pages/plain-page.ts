import { html } from '../../web/html.ts';
import type { Language } from '../../web/languages.ts';
import type { Page } from '../../web/own-reply.ts';
import { pageStyle } from '../../web/page-style.ts';
import type { BlockPageTexts } from '../../web/translation.ts';

export interface PageFacts {
  readonly language: Language;
  readonly requestId: string;
  /** The short name of the decision; null when there is no decision. */
  readonly reference: string | null;
}

const STYLE = pageStyle({ sheet: 'block.css', formAction: "'none'" });

/** The block page; with other texts, the page for an unreadable form. */
export function plainPage(texts: BlockPageTexts, { language, requestId, reference }: PageFacts): Page {
  const short = reference === null ? { html: '' } : html`<strong>${reference}</strong>`;
  const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${texts.title}</title>
<style>${{ html: STYLE.css }}</style>
</head>
<body>
<main>
<h1>${texts.heading}</h1>
<p>${texts.whatHappened}</p>
<p>${texts.whatToDo}</p>
<p class="reference"><span>${texts.reference}</span>${short}<code>${requestId}</code></p>
<p><a href="/">${texts.back}</a></p>
</main>
</body>
</html>
`;
  return { html: page.html, policy: STYLE.policy };
}
