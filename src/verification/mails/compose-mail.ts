import type { Mail } from '../../mail/mail.ts';
import { fillText } from '../../web/fill-text.ts';
import { html } from '../../web/html.ts';
import type { Language } from '../../web/languages.ts';
import { mailButton, mailFrame } from '../../web/mail-frame.ts';
import { translationIn } from '../../web/translations.ts';

export interface MailFacts {
  readonly recipient: string;
  readonly language: Language;
  /** The host of `proxy.public_url`. */
  readonly site: string;
  readonly code: string;
  readonly link: string;
  readonly codeMinutes: number;
  readonly linkMinutes: number;
}

/** The same mail as text and as HTML, without images and without text that the sender of the signup wrote. */
export function composeMail(facts: MailFacts): Mail {
  const { recipient, language, site, code, link } = facts;
  const texts = translationIn(language).verificationMail;
  const intro = fillText(texts.intro, { site });
  const codeMinutes = fillText(texts.codeMinutes, { minutes: facts.codeMinutes });
  const linkMinutes = fillText(texts.linkMinutes, { minutes: facts.linkMinutes });
  const subject = fillText(texts.subject, { site });
  const text = [
    ...[intro, `${texts.code} ${code}`, codeMinutes],
    ...[`${texts.link}\n${link}`, linkMinutes, texts.ignore],
  ].join('\n\n');
  const content = html`<p>${intro}</p>
<p>${texts.code}</p>
<p style="font:bold 32px/1.2 monospace;letter-spacing:4px;margin:0 0 8px">${code}</p>
<p>${codeMinutes}</p>
<p>${texts.link}</p>
${mailButton(link, texts.button)}
<p>${linkMinutes}</p>
<p>${texts.ignore}</p>`;
  return { recipient, subject, text: `${text}\n`, html: mailFrame({ language, subject, content }) };
}
