import type { Mail } from '../mail/mail.ts';
import { html } from '../web/html.ts';
import { linkLifetime } from './account-links.ts';

/** The kind of a mail of the dashboard. */
export type AccountMailKind =
  | 'registration'
  | 'already-registered'
  | 'password-reset'
  | 'email-change'
  | 'email-changed';

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
  const page = html`<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${subject ?? ''}</title></head>
<body style="margin:0;padding:24px;background:#fff;color:#1b1f24;font:16px/1.5 sans-serif">
<p>${intro ?? ''}</p>
${
  button === null
    ? null
    : html`<p><a href="${link}" style="display:inline-block;padding:12px 20px;background:#0b5cad;color:#fff;text-decoration:none;border-radius:6px">${button}</a></p>
<p style="word-break:break-all"><a href="${link}" style="color:#0b5cad">${link}</a></p>`
}
<p>${ending}</p>
</body>
</html>
`;
  const paragraphs = [intro, ...(button === null ? [] : [link]), ending];
  return { recipient, subject: subject ?? '', text: `${paragraphs.join('\n\n')}\n`, html: page.html };
}
