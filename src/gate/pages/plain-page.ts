import { fillText } from '../../web/fill-text.ts';
import { type Html, html } from '../../web/html.ts';
import type { Language } from '../../web/languages.ts';
import type { Page } from '../../web/own-reply.ts';
import { contactUrl, nameOfSite, type Site } from '../../web/site.ts';
import type { BlockPageTexts, Translation } from '../../web/translation.ts';

export interface PageFacts {
  readonly language: Language;
  readonly site: Site;
  /** `proxy.public_url`; null before the gate listens. */
  readonly publicUrl: string | null;
  readonly requestId: string;
  /** The short name of the decision; null when there is no decision. */
  readonly reference: string | null;
  /** The email address that the sender probably meant. Left out: no suggestion. */
  readonly offer?: CorrectionOffer | null;
}

export interface CorrectionOffer {
  /** The page that accepts the suggestion. */
  readonly url: string;
  readonly suggestion: string;
  /** The domain that the sender typed. */
  readonly domain: string;
}

const NO_FORM = "'none'";
/** Forms may lead to any site, since browsers also apply this policy to the redirect in the app's answer. */
const ANY_SITE = "'self' https: http:";

export function textsOf({ site, language, publicUrl }: PageFacts): Translation {
  return site.textsIn(language, publicUrl);
}

/** The block page; with other texts, the page for an unreadable form. */
export function plainPage(texts: BlockPageTexts, facts: PageFacts): Page {
  const { language, site, requestId, reference, offer = null } = facts;
  const { css, policy } = site.styleOf({
    sheet: 'block.css',
    formAction: offer === null ? NO_FORM : ANY_SITE,
  });
  const short = reference === null ? null : html`<div><strong>${reference}</strong></div>`;
  const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${texts.title}</title>
<style>${{ html: css }}</style>
</head>
<body>
<main>
${siteHead(facts)}<h1>${texts.heading}</h1>
<p>${texts.whatHappened}</p>
${offer && offerSection(textsOf(facts), offer)}<p>${texts.whatToDo}</p>
<div class="reference"><div>${texts.reference}</div>${short}<div><code>${requestId}</code></div></div>
${contactLink(texts, facts)}<p><a href="/">${texts.back}</a></p>
</main>
</body>
</html>
`;
  return { html: page.html, policy };
}

/** The logo, or else the name. A site without a logo and a name has no head. */
function siteHead({ site, publicUrl }: PageFacts): Html | null {
  const { name, logo } = site;
  if (logo === null) return name === null ? null : html`<p class="site">${name}</p>\n`;
  const plate = logo.knowsDark ? null : html` class="plate"`;
  return html`<p class="site"><img${plate} src="${logo.url}" alt="${nameOfSite(site, publicUrl)}"></p>\n`;
}

function contactLink(
  texts: BlockPageTexts,
  { site, publicUrl, reference, requestId }: PageFacts,
): Html | null {
  const { contact } = site;
  if (contact === null) return null;
  const url = contactUrl(contact, reference ?? requestId);
  return html`<p><a href="${url}">${nameOfSite(site, publicUrl) === '' ? contact.text : texts.contact}</a></p>\n`;
}

/** The button that accepts the suggestion, as on the page of the code. */
function offerSection({ verificationPages: texts }: Translation, offer: CorrectionOffer): Html {
  const { url, suggestion, domain } = offer;
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
