import type { Mail } from '../mail/mail.ts';
import { fillText } from '../web/fill-text.ts';
import { html } from '../web/html.ts';
import type { Language } from '../web/languages.ts';
import { mailButton, mailFrame } from '../web/mail-frame.ts';
import { UNNAMED_SITE } from '../web/site.ts';
import type { AccountMailTexts } from '../web/translation.ts';
import { translationIn } from '../web/translations.ts';
import { linkLifetimeMs } from './account-links.ts';

/** The kind of a mail of the dashboard. */
export type AccountMailKind =
  | 'registration'
  | 'invitation'
  | 'already-registered'
  | 'password-reset'
  | 'email-change'
  | 'email-changed'
  | 'two-factor-removed';

type TextName = keyof AccountMailTexts;

interface MailTexts {
  readonly subject: TextName;
  readonly intro: TextName;
  /** The text of the link's button; null for a mail without a link. */
  readonly button: TextName | null;
  readonly ending: readonly TextName[];
}

const MINUTE_MS = 60_000;
const LIFETIMES = {
  hours: linkLifetimeMs('registration') / 60 / MINUTE_MS,
  days: linkLifetimeMs('set-up') / 24 / 60 / MINUTE_MS,
  minutes: linkLifetimeMs('password-reset') / MINUTE_MS,
};

const TEXTS: Readonly<Record<AccountMailKind, MailTexts>> = {
  registration: {
    subject: 'accountSubject',
    intro: 'registration',
    button: 'setUpButton',
    ending: ['linkHours', 'ignore'],
  },
  invitation: {
    subject: 'accountSubject',
    intro: 'invitation',
    button: 'setUpButton',
    ending: ['linkDays', 'ignoreInvitation'],
  },
  'already-registered': {
    subject: 'accountSubject',
    intro: 'alreadyRegistered',
    button: 'signInButton',
    ending: ['nothingChanged'],
  },
  'password-reset': {
    subject: 'passwordSubject',
    intro: 'passwordReset',
    button: 'passwordButton',
    ending: ['linkMinutes', 'ignore'],
  },
  'email-change': {
    subject: 'emailSubject',
    intro: 'emailChange',
    button: 'emailButton',
    ending: ['linkHours', 'ignore'],
  },
  'email-changed': {
    subject: 'emailChangedSubject',
    intro: 'emailChanged',
    button: null,
    ending: ['tellOperator'],
  },
  'two-factor-removed': {
    subject: 'twoFactorRemovedSubject',
    intro: 'twoFactorRemoved',
    button: 'signInButton',
    ending: ['tellOperator'],
  },
};

/**
 * A mail contains no text that a sender typed.
 *
 * @param link The URL of the button; not used by a mail without a button.
 */
export function composeAccountMail(
  kind: AccountMailKind,
  given: {
    readonly recipient: string;
    readonly publicUrl: string;
    readonly link: string;
    readonly language: Language;
  },
): Mail {
  const { recipient, publicUrl, link, language } = given;
  const { accountMails } = translationIn(language);
  const values = { ...LIFETIMES, site: new URL(publicUrl).host };
  const textOf = (name: TextName) => fillText(accountMails[name], values);
  const texts = TEXTS[kind];
  const [subject, intro] = [textOf(texts.subject), textOf(texts.intro)];
  const button = texts.button === null ? null : textOf(texts.button);
  const ending = texts.ending.map(textOf).join(' ');
  const content = html`<p>${intro}</p>
${button === null ? null : mailButton(link, button, UNNAMED_SITE)}
<p>${ending}</p>`;
  const paragraphs = [intro, ...(button === null ? [] : [link]), ending];
  return {
    recipient,
    subject,
    text: `${paragraphs.join('\n\n')}\n`,
    ...mailFrame({
      language,
      site: UNNAMED_SITE,
      publicUrl,
      contact: null,
      subject,
      content,
    }),
  };
}
