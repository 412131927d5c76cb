import { fillText } from '../../web/fill-text.ts';
import { renderPage } from '../../web/page.tsx';
import { type PagePlace, SiteLink, siteOf } from './page-parts.tsx';
import { PAGE_TEXTS } from './page-texts.ts';

export type Message = 'closed' | 'locked' | 'reported' | 'unanswered' | 'crossSite';

/** A page with nothing to do on it but to go on. */
export function messagePage(place: PagePlace, message: Message): string {
  const texts = PAGE_TEXTS[place.language];
  return page(place, texts[`${message}Title`], fillText(texts[`${message}Text`], { site: siteOf(place) }));
}

/** Instead of holding a signup for which no mail may be sent now. */
export function tooManyMailsPage(place: PagePlace, minutes: number): string {
  const texts = PAGE_TEXTS[place.language];
  return page(place, texts.tooManyMailsTitle, fillText(texts.tooManyMails, { minutes }));
}

/** Instead of holding a signup for which there is no room now. */
export function noRoomPage(place: PagePlace, minutes: number): string {
  const texts = PAGE_TEXTS[place.language];
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
        <SiteLink texts={PAGE_TEXTS[place.language]} place={place} />
      </>
    ),
  });
}
