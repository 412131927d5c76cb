import { fillText } from '../../web/fill-text.ts';
import { html } from '../../web/html.ts';
import type { Language } from '../../web/languages.ts';
import type { Page } from '../../web/own-reply.ts';
import { pageStyle } from '../../web/page-style.ts';
import type { BlockPageTexts } from '../../web/translation.ts';
import { translationIn } from '../../web/translations.ts';

export interface PageFacts {
  readonly language: Language;
  readonly requestId: string;
  /** The short name of the decision; null when there is no decision. */
  readonly reference: string | null;
  /** The address that the sender probably meant; left out: none. */
  readonly offer?: CorrectionOffer | null;
}

export interface CorrectionOffer {
  /** The page that accepts the suggestion. */
  readonly url: string;
  readonly suggestion: string;
  /** The domain that the sender typed. */
  readonly domain: string;
}

const STYLE = pageStyle({ sheet: 'block.css', formAction: "'none'" });
/** To any site, since browsers also apply this policy to the redirect in the app's answer. */
const OFFER_STYLE = pageStyle({ sheet: 'block.css', formAction: "'self' https: http:" });

/** The block page; with other texts, the page for an unreadable form. */
export function plainPage(texts: BlockPageTexts, facts: PageFacts): Page {
  const { language, requestId, reference, offer = null } = facts;
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
${offer === null ? { html: '' } : offerSection(language, offer)}<p>${texts.whatToDo}</p>
<p class="reference"><span>${texts.reference}</span>${short}<code>${requestId}</code></p>
<p><a href="/">${texts.back}</a></p>
</main>
</body>
</html>
`;
  return { html: page.html, policy: (offer === null ? STYLE : OFFER_STYLE).policy };
}

/** The same button as on the page of the code. */
function offerSection(language: Language, { url, suggestion, domain }: CorrectionOffer) {
  const texts = translationIn(language).verificationPages;
  const [before = '', after = ''] = texts.useSuggestion.split('{address}', 2);
  return html`<section class="suggestion" aria-labelledby="suggestion">
<h2 id="suggestion">${texts.suggestionTitle}</h2>
<p>${fillText(texts.suggestionText, { domain })}</p>
<form method="post" action="${url}">
<button type="submit" name="action" value="use_suggestion">${before}<bdi>${suggestion}</bdi>${after}</button>
</form>
</section>
`;
}
