import type { Page } from '../../web/own-reply.ts';
import type { UnreadTexts } from '../../web/translation.ts';
import { type PageFacts, plainPage, textsOf } from './plain-page.ts';

/** The reason why a form could not be read. */
export type UnreadReason = keyof UnreadTexts;

/** The page for a person whose form could not be read and who can correct it. */
export function unreadPage(reason: UnreadReason, facts: PageFacts): Page {
  const { blockPage, unreadPage: texts } = textsOf(facts);
  return plainPage(
    {
      ...blockPage,
      heading: texts.heading,
      whatHappened: texts.whatHappened[reason],
      whatToDo: texts.whatToDo[reason],
    },
    facts,
  );
}
