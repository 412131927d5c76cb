import { fillText } from '../../web/fill-text.ts';
import { type Html, html } from '../../web/html.ts';
import type { Language } from '../../web/languages.ts';
import { renderPage } from '../../web/page.ts';
import { PAGE_TEXTS } from './page-texts.ts';
import { type SignupFacts, senderSummary } from './sender-summary.ts';
import type { PageTexts } from './texts/texts.ts';

/** Where a page is shown: in which language, and for which site. */
export interface PagePlace {
  readonly language: Language;
  /** `proxy.public_url`. */
  readonly publicUrl: string;
}

/** What the page that asks for the code knows of its signup. */
export interface CodePageFacts {
  readonly domain: string;
  readonly minutesLeft: number;
  readonly mail: 'queued' | 'delayed' | 'failed' | 'sent';
  /** Until a new mail can be sent; null: never. */
  readonly resendInSeconds: number | null;
}

/** What the page behind the link knows of its signup. */
export interface LinkPageFacts extends SignupFacts {
  readonly minutesLeft: number;
}

/** What stood in the way of the last attempt on this page. */
export type CodePageError =
  | { readonly kind: 'malformed' | 'code-expired' | 'unreachable' }
  | { readonly kind: 'wrong'; readonly triesLeft: number }
  | { readonly kind: 'too-many-mails'; readonly waitMinutes: number };

/** The page behind the redirect of a held signup: asks for the code, and sends new mails. */
export function codePage(place: PagePlace, facts: CodePageFacts, error: CodePageError | null): string {
  const { texts, values } = textsOf(place, { domain: facts.domain });
  const isCodeWrong = error !== null && ['malformed', 'wrong', 'code-expired'].includes(error.kind);
  const describedBy = isCodeWrong ? 'error hint' : 'hint';
  const invalid = isCodeWrong ? html` aria-invalid="true"` : null;
  return renderPage({
    language: place.language,
    title: texts.codeTitle,
    error: error && texts.errorTitle,
    content: html`<h1>${texts.codeTitle}</h1>
${error && errorSummary(texts, codeErrorText(texts, error, values))}
<p>${fillText(texts.sentTo, values)}</p>
${mailStatus(texts, facts.mail)}
<form method="post">
<label for="code">${texts.codeLabel}</label>
<span class="hint" id="hint">${texts.codeHint}</span>
<input id="code" name="code" type="text" inputmode="numeric" autocomplete="one-time-code" required aria-describedby="${describedBy}"${invalid}>
<p>${fillText(texts.timeLeft, { minutes: facts.minutesLeft })}</p>
<button type="submit">${texts.confirm}</button>
</form>
<h2>${texts.noMailTitle}</h2>
<p>${fillText(texts.noMail, values)}</p>
${resendForm(texts, facts.resendInSeconds)}
${siteLink(place, texts, values)}`,
  });
}

/** The page behind the link in the mail. To open it changes nothing: mail scanners open links. */
export function linkPage(place: PagePlace, facts: LinkPageFacts, error: 'unreachable' | null): string {
  const { texts, values } = textsOf(place, {});
  return renderPage({
    language: place.language,
    title: texts.linkTitle,
    error: error && texts.errorTitle,
    content: html`<h1>${texts.linkTitle}</h1>
${error && errorSummary(texts, fillText(texts.unreachable, values))}
<p>${fillText(texts.linkText, values)}</p>
${senderSummary(texts, place.language, facts)}
<form method="post">
<p>${fillText(texts.timeLeft, { minutes: facts.minutesLeft })}</p>
<button type="submit" name="action" value="confirm">${texts.confirm}</button>
</form>
<h2>${texts.reportTitle}</h2>
<p>${texts.reportText}</p>
<form method="post"><button class="second" type="submit" name="action" value="report">${texts.report}</button></form>`,
  });
}

export type Message = 'closed' | 'locked' | 'reported' | 'unanswered' | 'crossSite';

/** A page with nothing to do on it but to go on. */
export function messagePage(place: PagePlace, message: Message): string {
  const { texts, values } = textsOf(place, {});
  const title = texts[`${message}Title`];
  return renderPage({
    language: place.language,
    title,
    content: html`<h1>${title}</h1>
<p>${fillText(texts[`${message}Text`], values)}</p>
${siteLink(place, texts, values)}`,
  });
}

/** Instead of holding a signup for which no mail may be sent now. */
export function tooManyMailsPage(place: PagePlace, waitMinutes: number): string {
  return waitPage(place, 'tooManyMails', waitMinutes);
}

/** Instead of holding a signup for which there is no room now. */
export function noRoomPage(place: PagePlace, waitMinutes: number): string {
  return waitPage(place, 'noRoom', waitMinutes);
}

function waitPage(place: PagePlace, because: 'tooManyMails' | 'noRoom', minutes: number): string {
  const { texts, values } = textsOf(place, {});
  const title = texts[`${because}Title`];
  return renderPage({
    language: place.language,
    title,
    content: html`<h1>${title}</h1>
<p>${fillText(texts[because], { minutes })}</p>
${siteLink(place, texts, values)}`,
  });
}

function textsOf({ language, publicUrl }: PagePlace, values: Readonly<Record<string, string>>) {
  return { texts: PAGE_TEXTS[language], values: { site: new URL(publicUrl).host, ...values } };
}

function errorSummary(texts: PageTexts, text: string): Html {
  return html`<div class="error" role="alert"><h2>${texts.errorTitle}</h2><p id="error">${text}</p></div>`;
}

function codeErrorText(
  texts: PageTexts,
  error: CodePageError,
  values: Readonly<Record<string, string>>,
): string {
  switch (error.kind) {
    case 'malformed':
      return texts.malformedCode;
    case 'wrong':
      return fillText(texts.wrongCode, { tries: error.triesLeft });
    case 'code-expired':
      return texts.codeExpired;
    case 'unreachable':
      return fillText(texts.unreachable, values);
    case 'too-many-mails':
      return fillText(texts.tooManyMails, { minutes: error.waitMinutes });
  }
}

function mailStatus(texts: PageTexts, mail: CodePageFacts['mail']): Html | null {
  if (mail === 'sent') return null;
  const text = { queued: texts.mailQueued, delayed: texts.mailDelayed, failed: texts.mailFailed }[mail];
  return html`<p class="status" role="status">${text}</p>`;
}

function resendForm(texts: PageTexts, resendInSeconds: number | null): Html {
  if (resendInSeconds === null) return html`<p>${texts.resendNever}</p>`;
  const wait =
    resendInSeconds > 0 ? html`<p>${fillText(texts.resendWait, { seconds: resendInSeconds })}</p>` : null;
  return html`${wait}<form method="post"><button class="second" type="submit" name="action" value="resend">${texts.resend}</button></form>`;
}

function siteLink(
  { publicUrl }: PagePlace,
  texts: PageTexts,
  values: Readonly<Record<string, string>>,
): Html {
  return html`<p><a href="${publicUrl}/">${fillText(texts.toSite, values)}</a></p>`;
}
