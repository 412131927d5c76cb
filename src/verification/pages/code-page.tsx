import { fillText } from '../../web/fill-text.ts';
import type { Page } from '../../web/own-reply.ts';
import { renderPage } from '../../web/page.tsx';
import type { VerificationPageTexts } from '../../web/translation.ts';
import { ErrorSummary, type PagePlace, Reference, SiteLinks, textsOf } from './page-parts.tsx';
import { SuggestionForm } from './suggestion-form.tsx';

/** The facts that the code page shows about its signup. */
export interface CodePageFacts {
  readonly domain: string;
  /** The email address that the sender probably meant; null without a suggestion. */
  readonly suggestion: string | null;
  /** The short name of the decision, for support. */
  readonly reference: string | null;
  readonly minutesLeft: number;
  readonly mail: 'queued' | 'delayed' | 'failed' | 'sent';
  /** Seconds until a new mail can be sent; null when no more mails can be sent. */
  readonly resendInSeconds: number | null;
}

/** The reason why the last request on this page failed. */
export type CodePageError =
  | { readonly kind: 'malformed' | 'code-expired' | 'unreachable' | 'impossible' }
  | { readonly kind: 'wrong'; readonly triesLeft: number }
  | { readonly kind: 'too-many-mails'; readonly waitMinutes: number };

/** The page to which a held signup redirects: asks for the code, and sends new mails. */
export function codePage(place: PagePlace, facts: CodePageFacts, error: CodePageError | null): Page {
  const texts = textsOf(place).verificationPages;
  const values = { domain: facts.domain };
  const isCodeWrong = error !== null && ['malformed', 'wrong', 'code-expired'].includes(error.kind);
  return renderPage({
    ...place,
    title: texts.codeTitle,
    error: error && texts.errorTitle,
    content: (
      <>
        <h1>{texts.codeTitle}</h1>
        {error && <ErrorSummary texts={texts} text={errorText(texts, error)} />}
        {facts.suggestion !== null && (
          <SuggestionForm texts={texts} domain={facts.domain} suggestion={facts.suggestion} />
        )}
        <p>{fillText(texts.sentTo, values)}</p>
        <MailStatus texts={texts} mail={facts.mail} />
        <form method="post">
          {/* Blocks: browsers without style sheets begin a line for each. */}
          <div>
            <label for="code">{texts.codeLabel}</label>
          </div>
          <div class="hint" id="hint">
            {texts.codeHint}
          </div>
          <input
            id="code"
            name="code"
            type="text"
            inputmode="numeric"
            autocomplete="one-time-code"
            required
            autofocus
            aria-describedby={isCodeWrong ? 'error hint' : 'hint'}
            aria-invalid={isCodeWrong ? 'true' : undefined}
          />
          <p>{fillText(texts.timeLeft, { minutes: facts.minutesLeft })}</p>
          <button type="submit">{texts.confirm}</button>
        </form>
        <h2>{texts.noMailTitle}</h2>
        <p>{fillText(texts.noMail, values)}</p>
        <ResendForm texts={texts} inSeconds={facts.resendInSeconds} />
        <Reference place={place} reference={facts.reference} />
        <SiteLinks place={place} reference={facts.reference} />
      </>
    ),
  });
}

function errorText(texts: VerificationPageTexts, error: CodePageError): string {
  switch (error.kind) {
    case 'malformed':
      return texts.malformedCode;
    case 'wrong':
      return fillText(texts.wrongCode, { tries: error.triesLeft });
    case 'code-expired':
      return texts.codeExpired;
    case 'impossible':
      return texts.suggestionImpossible;
    case 'unreachable':
      return texts.unreachable;
    case 'too-many-mails':
      return fillText(texts.tooManyMails, { minutes: error.waitMinutes });
  }
}

function MailStatus({
  texts,
  mail,
}: {
  readonly texts: VerificationPageTexts;
  readonly mail: CodePageFacts['mail'];
}) {
  if (mail === 'sent') return null;
  return (
    <p class="status" role="status">
      {{ queued: texts.mailQueued, delayed: texts.mailDelayed, failed: texts.mailFailed }[mail]}
    </p>
  );
}

/** @param props.inSeconds as `resendInSeconds` of the page. */
function ResendForm({
  texts,
  inSeconds,
}: {
  readonly texts: VerificationPageTexts;
  readonly inSeconds: number | null;
}) {
  if (inSeconds === null) return <p>{texts.resendNever}</p>;
  return (
    <>
      {inSeconds > 0 && <p>{fillText(texts.resendWait, { seconds: inSeconds })}</p>}
      <form method="post">
        <button class="second" type="submit" name="action" value="resend">
          {texts.resend}
        </button>
      </form>
    </>
  );
}
