import type { Mail } from '../../mail/mail.ts';
import { fillText } from '../../web/fill-text.ts';
import { html } from '../../web/html.ts';
import type { Language } from '../../web/languages.ts';
import { contactLine, mailButton, mailCode, mailFrame } from '../../web/mail-frame.ts';
import type { Site } from '../../web/site.ts';

export interface MailFacts {
  readonly recipient: string;
  readonly language: Language;
  readonly site: Site;
  /** `proxy.public_url`. */
  readonly publicUrl: string;
  readonly code: string;
  readonly link: string;
  readonly codeMinutes: number;
  readonly linkMinutes: number;
}

/**
 * The same mail as text and as HTML, without text that the sender of the signup wrote. The code comes first, since lists of
 * mails and notifications show the beginning.
 */
export function composeMail(facts: MailFacts): Mail {
  const { recipient, language, site, publicUrl, code, link } = facts;
  const all = site.textsIn(language, publicUrl);
  const texts = all.verificationMail;
  const codeMinutes = fillText(texts.codeMinutes, { minutes: facts.codeMinutes });
  const linkMinutes = fillText(texts.linkMinutes, { minutes: facts.linkMinutes });
  const contact = contactLine(site, all);
  const text = [
    ...[`${texts.code} ${code}`, texts.intro, codeMinutes],
    ...[`${texts.link}\n${link}`, linkMinutes, texts.ignore],
    ...(contact === null ? [] : [contact.text]),
  ].join('\n\n');
  const content = html`<p>${texts.code}</p>
${mailCode(code)}
<p>${texts.intro}</p>
<p>${codeMinutes}</p>
<p>${texts.link}</p>
${mailButton(link, texts.button, site)}
<p>${linkMinutes}</p>
<p>${texts.ignore}</p>`;
  const { subject } = texts;
  return {
    recipient,
    subject,
    text: `${text}\n`,
    ...mailFrame({ language, subject, content, site, publicUrl, contact }),
  };
}
