import type { Page } from '../../web/own-reply.ts';
import type { UnreadTexts } from '../../web/translation.ts';
import { translationIn } from '../../web/translations.ts';
import { type PageFacts, plainPage } from './plain-page.ts';

/** Why a form could not be read. */
export type UnreadReason = keyof UnreadTexts;

/** The page for a person whose form could not be read and who can correct it. */
export function unreadPage(reason: UnreadReason, facts: PageFacts): Page {
  const { blockPage, unreadPage: texts } = translationIn(facts.language);
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
