import { fillText } from '../../web/fill-text.ts';
import type { Page } from '../../web/own-reply.ts';
import { renderPage } from '../../web/page.tsx';
import { type PagePlace, SiteLinks, textsOf } from './page-parts.tsx';

export type Message = 'closed' | 'locked' | 'reported' | 'unanswered' | 'crossSite';

/** A page with a message and a link to the site. */
export function messagePage(place: PagePlace, message: Message): Page {
  const texts = textsOf(place).verificationPages;
  return page(place, texts[`${message}Title`], texts[`${message}Text`]);
}

/** The page when a signup is not held because no mail may be sent now. */
export function tooManyMailsPage(place: PagePlace, minutes: number): Page {
  const texts = textsOf(place).verificationPages;
  return page(place, texts.tooManyMailsTitle, fillText(texts.tooManyMails, { minutes }));
}

/** The page when a signup is not held because there is no room now. */
export function noRoomPage(place: PagePlace, minutes: number): Page {
  const texts = textsOf(place).verificationPages;
  return page(place, texts.noRoomTitle, fillText(texts.noRoom, { minutes }));
}

/** The page while the records do not answer. The signup still waits. */
export function awayPage(place: PagePlace): Page {
  const texts = textsOf(place).verificationPages;
  return page(place, texts.noRoomTitle, texts.unreachable);
}

function page(place: PagePlace, title: string, text: string): Page {
  return renderPage({
    ...place,
    title,
    content: (
      <>
        <h1>{title}</h1>
        <p>{text}</p>
        <SiteLinks place={place} />
      </>
    ),
  });
}
