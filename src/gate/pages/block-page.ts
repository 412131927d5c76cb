import { html } from '../../web/html.ts';
import type { Page } from '../../web/own-reply.ts';
import { type PageFacts, plainPage, textsOf } from './plain-page.ts';

/** Builds the page for a refused signup. */
export type BlockPage = (facts: PageFacts) => Page;

/** The operator's page may load styles and images that the site serves. It may not run scripts. */
const OWN_TEMPLATE_POLICY = [
  "default-src 'none'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

export const builtInBlockPage: BlockPage = (facts) => plainPage(textsOf(facts).blockPage, facts);

/** The operator's page with `{{reference}}`, `{{request_id}}` and `{{lang}}` filled in. Other braces stay. */
export function templateBlockPage(template: string): BlockPage {
  return ({ language, requestId, reference }) => {
    const values: Readonly<Record<string, string>> = {
      lang: language,
      request_id: requestId,
      reference: reference ?? requestId,
    };
    return {
      html: template.replace(
        /\{\{\s*(request_id|reference|lang)\s*\}\}/g,
        (_placeholder, name: string) => html`${values[name] ?? ''}`.html,
      ),
      policy: OWN_TEMPLATE_POLICY,
    };
  };
}
