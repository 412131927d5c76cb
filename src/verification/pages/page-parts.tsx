import { fillText } from '../../web/fill-text.ts';
import type { Language } from '../../web/languages.ts';
import type { VerificationPageTexts } from '../../web/translation.ts';
import { translationIn } from '../../web/translations.ts';

/** The language and the site of a page. */
export interface PagePlace {
  readonly language: Language;
  /** `proxy.public_url`. */
  readonly publicUrl: string;
}

/** The host that texts name as `{site}`. */
export function siteOf({ publicUrl }: PagePlace): string {
  return new URL(publicUrl).host;
}

export function ErrorSummary({
  texts,
  text,
}: {
  readonly texts: VerificationPageTexts;
  readonly text: string;
}) {
  return (
    <div class="error" role="alert">
      <h2>{texts.errorTitle}</h2>
      <p id="error">{text}</p>
    </div>
  );
}

/** The short name of the decision, for support; null: the signup has none. */
export function Reference({
  language,
  reference,
}: {
  readonly language: Language;
  readonly reference: string | null;
}) {
  if (reference === null) return null;
  return (
    <p class="hint">
      {translationIn(language).blockPage.reference}: <code>{reference}</code>
    </p>
  );
}

export function SiteLink({
  texts,
  place,
}: {
  readonly texts: VerificationPageTexts;
  readonly place: PagePlace;
}) {
  return (
    <p>
      <a href={`${place.publicUrl}/`}>{fillText(texts.toSite, { site: siteOf(place) })}</a>
    </p>
  );
}
