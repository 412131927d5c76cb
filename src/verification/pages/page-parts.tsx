import type { Language } from '../../web/languages.ts';
import { contactUrl, type Site } from '../../web/site.ts';
import type { Translation, VerificationPageTexts } from '../../web/translation.ts';

/** The language and the site of a page. */
export interface PagePlace {
  readonly language: Language;
  readonly site: Site;
  /** `proxy.public_url`. */
  readonly publicUrl: string;
}

export function textsOf({ site, language, publicUrl }: PagePlace): Translation {
  return site.textsIn(language, publicUrl);
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

/** The short name of the decision, for support; null when the signup has no short name. */
export function Reference({
  place,
  reference,
}: {
  readonly place: PagePlace;
  readonly reference: string | null;
}) {
  if (reference === null) return null;
  return (
    <p class="hint">
      {textsOf(place).blockPage.reference}: <code>{reference}</code>
    </p>
  );
}

/** Links to the site, and to its contact if it has one. */
export function SiteLinks({
  place,
  reference = null,
}: {
  readonly place: PagePlace;
  /** The reference, for the subject of a mail. */
  readonly reference?: string | null;
}) {
  const { blockPage, verificationPages } = textsOf(place);
  const { contact } = place.site;
  return (
    <>
      <p>
        <a href={`${place.publicUrl}/`}>{verificationPages.toSite}</a>
      </p>
      {contact && (
        <p>
          <a href={contactUrl(contact, reference)}>{blockPage.contact}</a>
        </p>
      )}
    </>
  );
}
