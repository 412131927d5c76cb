import { fillText } from '../../web/fill-text.ts';
import { renderPage } from '../../web/page.tsx';
import { translationIn } from '../../web/translations.ts';
import { ErrorSummary, type PagePlace, SiteLink, siteOf } from './page-parts.tsx';
import { SuggestionButton } from './suggestion-form.tsx';

export interface OfferFacts {
  /** The domain that the sender typed. */
  readonly domain: string;
  /** The address that was probably meant; null: it cannot be used any more. */
  readonly suggestion: string | null;
  readonly error: 'unreachable' | 'impossible' | null;
}

/** The page of a signup that is refused as it was typed, and can only be corrected. The block page leads to it. */
export function offerPage(place: PagePlace, { domain, suggestion, error }: OfferFacts): string {
  const { language } = place;
  const texts = translationIn(language).verificationPages;
  const errorTexts = { unreachable: texts.unreachable, impossible: texts.suggestionImpossible };
  return renderPage({
    language,
    title: texts.suggestionTitle,
    error: error && texts.errorTitle,
    content: (
      <>
        <h1>{texts.suggestionTitle}</h1>
        {error && <ErrorSummary texts={texts} text={fillText(errorTexts[error], { site: siteOf(place) })} />}
        <p>{fillText(texts.suggestionText, { domain })}</p>
        {suggestion !== null && <SuggestionButton texts={texts} suggestion={suggestion} />}
        <SiteLink texts={texts} place={place} />
      </>
    ),
  });
}
