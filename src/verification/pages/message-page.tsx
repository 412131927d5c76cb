import { fillText } from '../../web/fill-text.ts';
import { renderPage } from '../../web/page.tsx';
import { translationIn } from '../../web/translations.ts';
import { type PagePlace, SiteLink, siteOf } from './page-parts.tsx';

export type Message = 'closed' | 'locked' | 'reported' | 'unanswered' | 'crossSite';

/** A page with a message and a link to the site. */
export function messagePage(place: PagePlace, message: Message): string {
  const texts = translationIn(place.language).verificationPages;
  return page(place, texts[`${message}Title`], fillText(texts[`${message}Text`], { site: siteOf(place) }));
}

/** Shown when a signup is not held because no mail may be sent now. */
export function tooManyMailsPage(place: PagePlace, minutes: number): string {
  const texts = translationIn(place.language).verificationPages;
  return page(place, texts.tooManyMailsTitle, fillText(texts.tooManyMails, { minutes }));
}

/** Shown when a signup is not held because there is no room now. */
export function noRoomPage(place: PagePlace, minutes: number): string {
  const texts = translationIn(place.language).verificationPages;
  return page(place, texts.noRoomTitle, fillText(texts.noRoom, { minutes }));
}

function page(place: PagePlace, title: string, text: string): string {
  return renderPage({
    language: place.language,
    title,
    content: (
      <>
        <h1>{title}</h1>
        <p>{text}</p>
        <SiteLink texts={translationIn(place.language).verificationPages} place={place} />
      </>
    ),
  });
}
