import { fillText } from '../../web/fill-text.ts';
import type { Page } from '../../web/own-reply.ts';
import { renderPage } from '../../web/page.tsx';
import { ErrorSummary, type PagePlace, SiteLinks, textsOf } from './page-parts.tsx';
import { SuggestionButton } from './suggestion-form.tsx';

export interface OfferFacts {
  /** The domain that the sender typed. */
  readonly domain: string;
  /** The suggested email address; null when it can no longer be used. */
  readonly suggestion: string | null;
  readonly error: 'unreachable' | 'impossible' | null;
}

/** The page of a signup that is refused as it was typed, and can only be corrected. The block page leads to it. */
export function offerPage(place: PagePlace, { domain, suggestion, error }: OfferFacts): Page {
  const texts = textsOf(place).verificationPages;
  const errorTexts = { unreachable: texts.unreachable, impossible: texts.suggestionImpossible };
  return renderPage({
    ...place,
    title: texts.suggestionTitle,
    error: error && texts.errorTitle,
    content: (
      <>
        <h1>{texts.suggestionTitle}</h1>
        {error && <ErrorSummary texts={texts} text={errorTexts[error]} />}
        <p>{fillText(texts.suggestionText, { domain })}</p>
        {suggestion !== null && <SuggestionButton texts={texts} suggestion={suggestion} />}
        <SiteLinks place={place} />
      </>
    ),
  });
}
