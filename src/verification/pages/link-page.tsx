import { fillText } from '../../web/fill-text.ts';
import type { Page } from '../../web/own-reply.ts';
import { renderPage } from '../../web/page.tsx';
import { ErrorSummary, type PagePlace, Reference, textsOf } from './page-parts.tsx';
import { SenderSummary, type SignupFacts } from './sender-summary.tsx';

/** The facts that the link page shows about its signup. */
export interface LinkPageFacts extends SignupFacts {
  readonly minutesLeft: number;
  /** The short name of the decision, for support. */
  readonly reference: string | null;
}

/** The page of the link in the mail. Opening the page changes nothing, since mail scanners open links. */
export function linkPage(place: PagePlace, facts: LinkPageFacts, error: 'unreachable' | null): Page {
  const { language } = place;
  const texts = textsOf(place).verificationPages;
  return renderPage({
    ...place,
    title: texts.linkTitle,
    error: error && texts.errorTitle,
    content: (
      <>
        <h1>{texts.linkTitle}</h1>
        {error && <ErrorSummary texts={texts} text={texts.unreachable} />}
        <p>{texts.linkText}</p>
        <SenderSummary texts={texts} language={language} facts={facts} />
        <form method="post">
          <p>{fillText(texts.timeLeft, { minutes: facts.minutesLeft })}</p>
          <button type="submit" name="action" value="confirm">
            {texts.confirm}
          </button>
        </form>
        <h2>{texts.reportTitle}</h2>
        <p>{texts.reportText}</p>
        <form method="post">
          <button class="second" type="submit" name="action" value="report">
            {texts.report}
          </button>
        </form>
        <Reference place={place} reference={facts.reference} />
      </>
    ),
  });
}
