import type { Mail } from '../mail/mail.ts';
import { html } from '../web/html.ts';
import { mailButton, mailFrame } from '../web/mail-frame.ts';
import { UNNAMED_SITE } from '../web/site.ts';
import { linkLifetime } from './account-links.ts';

/** The kind of a mail of the dashboard. */
export type AccountMailKind =
  | 'registration'
  | 'invitation'
  | 'already-registered'
  | 'password-reset'
  | 'email-change'
  | 'email-changed'
  | 'two-factor-removed';

interface MailText {
  readonly subject: string;
  readonly intro: string;
  /** The text of the link's button; null for a mail without a link. */
  readonly button: string | null;
  readonly ending: string;
}

const IGNORE = 'If this was not you, ignore this mail. Nothing changes unless the link is used.';

/** `{site}` is the host of `dashboard.public_url`. No text that a sender typed goes into a mail. */
const TEXTS: Readonly<Record<AccountMailKind, MailText>> = {
  registration: {
    subject: 'Your account at {site}',
    intro:
      'A Gatekeeper account at {site} was requested for this email address. To choose a password, open this link:',
    button: 'Set up my account',
    ending: `The link works once, for ${linkLifetime('registration')}. ${IGNORE}`,
  },
  invitation: {
    subject: 'Your account at {site}',
    intro: 'You are invited to the Gatekeeper dashboard at {site}. To choose a password, open this link:',
    button: 'Set up my account',
    ending: `The link works once, for ${linkLifetime('set-up')}. If you do not know this site, ignore this mail.`,
  },
  'already-registered': {
    subject: 'Your account at {site}',
    intro:
      'A Gatekeeper account at {site} was requested for this email address, but the account already exists. To sign in or to set a new password, open this link:',
    button: 'Sign in',
    ending: 'If this was not you, ignore this mail. Nothing has changed.',
  },
  'password-reset': {
    subject: 'A new password for {site}',
    intro:
      'A new password was requested for your Gatekeeper account at {site}. To choose it, open this link:',
    button: 'Choose a new password',
    ending: `The link works once, for ${linkLifetime('password-reset')}. ${IGNORE}`,
  },
  'email-change': {
    subject: 'Confirm your email for {site}',
    intro:
      'The owner of a Gatekeeper account at {site} wants to sign in with this email address. To confirm the address, open this link:',
    button: 'Confirm this email',
    ending: `The link works once, for ${linkLifetime('email-change')}. ${IGNORE}`,
  },
  'email-changed': {
    subject: 'Your email at {site} was changed',
    intro:
      'Your Gatekeeper account at {site} now has another email address. You can no longer sign in with this one.',
    button: null,
    ending: 'If this was not you, tell the operator of this Gatekeeper at once.',
  },
  'two-factor-removed': {
    subject: 'Your second factor at {site} was removed',
    intro:
      'An operator removed the second factor of your Gatekeeper account at {site}. You now sign in with your password alone. To set up two-factor again, sign in:',
    button: 'Sign in',
    ending: 'If you did not ask for this, tell the operator of this Gatekeeper at once.',
  },
};

/** @param link The URL of the button; not used by a mail without a button. */
export function composeAccountMail(
  kind: AccountMailKind,
  {
    recipient,
    publicUrl,
    link,
  }: { readonly recipient: string; readonly publicUrl: string; readonly link: string },
): Mail {
  const site = new URL(publicUrl).host;
  const { button, ending, ...texts } = TEXTS[kind];
  const [subject, intro] = [texts.subject, texts.intro].map((text) => text.replace('{site}', site));
  const content = html`<p>${intro ?? ''}</p>
${button === null ? null : mailButton(link, button, UNNAMED_SITE)}
<p>${ending}</p>`;
  const paragraphs = [intro, ...(button === null ? [] : [link]), ending];
  return {
    ...{ recipient, subject: subject ?? '', text: `${paragraphs.join('\n\n')}\n` },
    ...mailFrame({
      ...{ language: 'en', site: UNNAMED_SITE, publicUrl, contact: null },
      ...{ subject: subject ?? '', summary: intro ?? '', content },
    }),
  };
}
