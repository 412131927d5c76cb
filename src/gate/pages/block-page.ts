import { html } from '../../web/html.ts';
import type { Page } from '../../web/own-reply.ts';
import { translationIn } from '../../web/translations.ts';
import { type PageFacts, plainPage } from './plain-page.ts';

/** Makes the page that says a signup was refused. */
export type BlockPage = (facts: PageFacts) => Page;

/** A page of the operator's may look as the site does, with what the site serves, and still runs nothing. */
const OWN_TEMPLATE_POLICY = [
  "default-src 'none'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const builtInBlockPage: BlockPage = (facts) =>
  plainPage(translationIn(facts.language).blockPage, facts);

/** The operator's own page, with `{{request_id}}` and `{{lang}}` where they are wanted. Other braces stay as they are. */
export function templateBlockPage(template: string): BlockPage {
  return ({ language, requestId }) => ({
    html: template.replace(
      /\{\{\s*(request_id|lang)\s*\}\}/g,
      (_placeholder, name) => html`${name === 'lang' ? language : requestId}`.html,
    ),
    policy: OWN_TEMPLATE_POLICY,
  });
}
